import Security

func saveIfMissing(_ data: Data) -> OSStatus {
    let lookup: [String: Any] = [
        kSecClass as String: kSecClassGenericPassword,
        kSecAttrService as String: "mail",
        kSecAttrAccount as String: "ada",
        kSecMatchLimit as String: kSecMatchLimitOne,
    ]
    let status = SecItemCopyMatching(lookup as CFDictionary, nil)
    guard status == errSecItemNotFound else { return status }
    var item = lookup
    item.removeValue(forKey: kSecMatchLimit as String)
    item[kSecAttrLabel as String] = "Mail password"
    item[kSecAttrAccessible as String] = kSecAttrAccessibleAfterFirstUnlock
    item[kSecValueData as String] = data
    return SecItemAdd(item as CFDictionary, nil)
}
