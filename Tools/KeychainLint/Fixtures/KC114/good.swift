import Security

func save(_ data: Data, identifier: Data, service: String, account: String) -> OSStatus
{
    let item: [String: Any] = [
        kSecClass as String: kSecClassGenericPassword,
        kSecAttrGeneric as String: identifier,
        kSecAttrService as String: service,
        kSecAttrAccount as String: account,
        kSecAttrAccessible as String: kSecAttrAccessibleAfterFirstUnlock,
        kSecValueData as String: data,
    ]
    return SecItemAdd(item as CFDictionary, nil)
}
