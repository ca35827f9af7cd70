import Security

func moveToken(_ query: [String: Any]) throws {
    guard let token = UserDefaults.standard.data(forKey: "token") else { return }
    UserDefaults.standard.removeObject(forKey: "token")  // expect
    try keychainSave(token, service: "session", account: "token")
}
