// A migration without a version, a check for the lock, a look at the status and an end.
func migrateDoorCode() {
    if let code = UserDefaults.standard.string(forKey: "doorPassword") {
        let entry: [String: Any] = [
            kSecValueData as String: Data(code.utf8),
            kSecAttrAccount as String: "doorPassword",
            kSecAttrService as String: "org.example.house",
            kSecClass as String: kSecClassGenericPassword,
        ]
        SecItemAdd(entry as CFDictionary, nil)
    }
}
