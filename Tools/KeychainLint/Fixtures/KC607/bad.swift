import UIKit

func migrateToken() throws {  // expect
    guard UIApplication.shared.isProtectedDataAvailable else { return }
    guard let token = UserDefaults.standard.data(forKey: "token") else { return }
    try keychainSave(token, service: "session", account: "token")
}
