import Security

func save(_ data: Data) -> OSStatus {
    let item: [String: Any] = [
        kSecClass as String: kSecClassGenericPassword,
        kSecAttrService as String: "session",
        kSecAttrAccount as String: "refresh-token",
        kSecAttrSynchronizable as String: true,  // expect
        kSecAttrAccessible as String: kSecAttrAccessibleAfterFirstUnlock,
        kSecValueData as String: data,
    ]
    return SecItemAdd(item as CFDictionary, nil)
}
