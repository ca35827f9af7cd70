import Security

func save(_ data: Data) -> OSStatus {
    let item: [String: Any] = [
        kSecClass as String: kSecClassGenericPassword,
        kSecAttrService as String: "session",
        kSecAttrAccount as String: "token",
        kSecAttrAccessible as String: kSecAttrAccessibleAfterFirstUnlock,
        kSecAttrAccessGroup as String: "A1B2C3D4E5.org.example.shared",
        kSecValueData as String: data,
    ]
    return SecItemAdd(item as CFDictionary, nil)
}
