import Security

/// A marker always has the same value, so an old one is as good as a new one.
func mark() throws {
    let item: [String: Any] = [
        kSecClass as String: kSecClassGenericPassword,
        kSecAttrService as String: "setup",
        kSecAttrAccount as String: "done",
        kSecAttrAccessible as String: kSecAttrAccessibleAfterFirstUnlock,
        kSecValueData as String: Data("1".utf8),
    ]
    let status = SecItemAdd(item as CFDictionary, nil)
    guard status == errSecSuccess || status == errSecDuplicateItem else {
        throw StatusError(status)
    }
}
