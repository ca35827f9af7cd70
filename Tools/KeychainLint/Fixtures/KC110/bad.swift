import Security

func replace(_ data: Data, service: String, account: String) -> OSStatus {
    var query: [String: Any] = [
        kSecClass as String: kSecClassGenericPassword,
        kSecAttrService as String: service,
        kSecAttrAccount as String: account,
    ]
    let status = SecItemUpdate(
        query as CFDictionary,
        [kSecValueData as String: data] as CFDictionary
    )
    guard status == errSecItemNotFound else { return status }
    query[kSecAttrAccessible as String] = kSecAttrAccessibleAfterFirstUnlock
    query[kSecValueData as String] = data
    return SecItemAdd(query as CFDictionary, nil)  // expect
}
