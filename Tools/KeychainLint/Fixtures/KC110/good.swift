import Security

func replace(_ data: Data, service: String, account: String) -> OSStatus {
    let base: [String: Any] = [
        kSecClass as String: kSecClassGenericPassword,
        kSecAttrService as String: service,
        kSecAttrAccount as String: account,
    ]
    let status = SecItemUpdate(
        base as CFDictionary,
        [kSecValueData as String: data] as CFDictionary
    )
    guard status == errSecItemNotFound else { return status }
    var item = base
    item[kSecAttrAccessible as String] = kSecAttrAccessibleAfterFirstUnlock
    item[kSecValueData as String] = data
    return SecItemAdd(item as CFDictionary, nil)
}
