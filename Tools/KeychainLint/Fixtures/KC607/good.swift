import UIKit

func migrateToken() throws {
    guard UIApplication.shared.isProtectedDataAvailable, try storedVersion() < 2 else {
        return
    }
    guard let token = UserDefaults.standard.data(forKey: "token") else { return }
    try keychainSave(token, service: "session", account: "token")
    guard try keychainRead(service: "session", account: "token") == token else {
        throw MigrationError.differs
    }
    UserDefaults.standard.removeObject(forKey: "token")
    try saveVersion(2)
}
