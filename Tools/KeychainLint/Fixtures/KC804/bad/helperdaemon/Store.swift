import Security

func save(_ data: Data) -> OSStatus {
    let item: [String: Any] = [
        kSecClass as String: kSecClassGenericPassword,
        kSecAttrService as String: "session",
        kSecAttrAccount as String: "token",
        kSecAttrAccessible as String: kSecAttrAccessibleAfterFirstUnlock,
        kSecUseDataProtectionKeychain as String: true,  // expect
        kSecValueData as String: data,
    ]
    return SecItemAdd(item as CFDictionary, nil)
}
