import Security

func save(_ data: Data, service: String, account: String) -> OSStatus {
    let item: [String: Any] = [
        kSecClass as String: kSecClassGenericPassword,
        kSecAttrService as String: service,
        kSecAttrAccount as String: account,
        kSecAttrSynchronizable as String: true,
        kSecAttrAccessible as String: kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly,  // expect
        kSecValueData as String: data,
    ]
    return SecItemAdd(item as CFDictionary, nil)
}
