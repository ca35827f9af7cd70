import Security

func importToken() throws {
    guard let token = UserDefaults.standard.string(forKey: "token") else { return }
    let item: [String: Any] = [
        kSecClass as String: kSecClassGenericPassword,
        kSecAttrService as String: "session",
        kSecAttrAccount as String: "token",
        kSecAttrAccessible as String: kSecAttrAccessibleAfterFirstUnlock,
        kSecValueData as String: Data(token.utf8),
    ]
    let status = SecItemAdd(item as CFDictionary, nil)
    guard status == errSecSuccess else { throw StatusError(status) }
    UserDefaults.standard.removeObject(forKey: "token")  // expect
    if status == errSecDuplicateItem { throw StatusError(status) }
}
