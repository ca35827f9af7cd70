import Security

func save(_ data: Data, service: String, account: String, syncs: Bool) -> OSStatus {
    let item: [String: Any] = [
        kSecClass as String: kSecClassGenericPassword,
        kSecAttrService as String: service,
        kSecAttrAccount as String: account,
        kSecAttrSynchronizable as String: syncs,
        kSecAttrAccessible as String: syncs
            ? kSecAttrAccessibleAfterFirstUnlock
            : kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly,
        kSecValueData as String: data,
    ]
    return SecItemAdd(item as CFDictionary, nil)
}
