import Security

func save(_ data: Data, service: String, account: String, control: SecAccessControl)
    -> OSStatus
{
    var item: [String: Any] = [
        kSecClass as String: kSecClassGenericPassword,
        kSecAttrService as String: service,
        kSecAttrAccount as String: account,
        kSecAttrAccessControl as String: control,
        kSecValueData as String: data,
    ]
    item[kSecAttrAccessible as String] = kSecAttrAccessibleWhenUnlocked  // expect
    return SecItemAdd(item as CFDictionary, nil)
}
