import Security

func saveIfMissing(_ data: Data) -> OSStatus {
    let lookup: [String: Any] = [
        kSecClass as String: kSecClassGenericPassword,
        kSecAttrService as String: "mail",
        kSecAttrAccount as String: "ada",
        kSecAttrLabel as String: "Mail password",  // expect
        kSecMatchLimit as String: kSecMatchLimitOne,
    ]
    let status = SecItemCopyMatching(lookup as CFDictionary, nil)
    guard status == errSecItemNotFound else { return status }
    let item: [String: Any] = [
        kSecClass as String: kSecClassGenericPassword,
        kSecAttrService as String: "mail",
        kSecAttrAccount as String: "ada",
        kSecAttrAccessible as String: kSecAttrAccessibleAfterFirstUnlock,
        kSecValueData as String: data,
    ]
    return SecItemAdd(item as CFDictionary, nil)
}
