import Foundation

func migrateService(_ data: Data) throws {
    try keychainSave(data, service: "new", account: "token")
    guard try keychainRead(service: "new", account: "token") == data else {
        throw MigrationError.differs
    }
    try keychainDelete(service: "old", account: "token")
}
