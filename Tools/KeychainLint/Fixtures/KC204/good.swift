import Security

func save(_ data: Data, service: String, account: String, control: SecAccessControl?)
    -> OSStatus
{
    var item: [String: Any] = [
        kSecClass as String: kSecClassGenericPassword,
        kSecAttrService as String: service,
        kSecAttrAccount as String: account,
        kSecValueData as String: data,
    ]
    if let control {
        item[kSecAttrAccessControl as String] = control
    } else {
        item[kSecAttrAccessible as String] = kSecAttrAccessibleWhenUnlocked
    }
    return SecItemAdd(item as CFDictionary, nil)
}
