import Security

#if os(macOS)
    func save(_ data: Data, service: String, account: String, control: SecAccessControl)
        -> OSStatus
    {
        let item: [String: Any] = [
            kSecClass as String: kSecClassGenericPassword,
            kSecAttrService as String: service,
            kSecAttrAccount as String: account,
            kSecAttrAccessControl as String: control,
            kSecUseDataProtectionKeychain as String: true,
            kSecValueData as String: data,
        ]
        return SecItemAdd(item as CFDictionary, nil)
    }
#endif
