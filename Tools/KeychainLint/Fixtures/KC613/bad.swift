import Foundation

func migrateService(_ data: Data) throws {
    try keychainSave(data, service: "new", account: "token")
    try keychainDelete(service: "old", account: "token")  // expect
}
