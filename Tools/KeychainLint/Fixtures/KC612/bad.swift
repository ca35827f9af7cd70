import Foundation

func copyToken() throws {
    if let token = UserDefaults.standard.data(forKey: "token") {  // expect
        try keychainSave(token, service: "session", account: "token")
    }
}
