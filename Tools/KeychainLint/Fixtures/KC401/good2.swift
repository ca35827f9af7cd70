import Security

func save(_ data: Data, user: String) -> OSStatus {
    let item: [String: Any] = [
        kSecClass as String: kSecClassGenericPassword,
        kSecAttrService as String: "org.example.notes.app",
        kSecAttrAccount as String: user,
        kSecAttrAccessible as String: kSecAttrAccessibleAfterFirstUnlock,
        kSecValueData as String: data,
    ]
    return SecItemAdd(item as CFDictionary, nil)
}
