// A migration that removes the old value before the keychain has the new one.
func moveCodes() {
    for name in ["doorCode", "gatePassword"] {
        guard let code = UserDefaults.standard.string(forKey: name) else { continue }
        UserDefaults.standard.removeObject(forKey: name)
        let entry: [String: Any] = [
            kSecAttrAccount as String: name,
            kSecAttrService as String: "org.example.house",
            kSecClass as String: kSecClassGenericPassword,
            kSecValueData as String: Data(code.utf8),
        ]
        let result = SecItemAdd(entry as CFDictionary, nil)
    }
}
