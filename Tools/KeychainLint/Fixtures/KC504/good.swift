import Security

func save(_ data: Data, service: String, account: String) -> OSStatus {
    let query: [String: Any] = [
        kSecClass as String: kSecClassGenericPassword,
        kSecAttrService as String: service,
        kSecAttrAccount as String: account,
    ]
    let status = SecItemUpdate(
        query as CFDictionary,
        [kSecValueData as String: data] as CFDictionary
    )
    guard status == errSecItemNotFound else { return status }
    var item = query
    item[kSecAttrAccessible as String] = kSecAttrAccessibleAfterFirstUnlock
    item[kSecValueData as String] = data
    return SecItemAdd(item as CFDictionary, nil)
}
