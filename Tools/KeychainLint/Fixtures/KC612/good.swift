import Foundation

func copyToken() throws {
    if let token = UserDefaults.standard.data(forKey: "token") {
        try keychainSave(token, service: "session", account: "token")
        guard try keychainRead(service: "session", account: "token") == token else {
            return
        }
        UserDefaults.standard.removeObject(forKey: "token")
    }
}
