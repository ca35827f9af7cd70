import Security

func harden(service: String, account: String, control: SecAccessControl) -> OSStatus {
    let query: [String: Any] = [
        kSecClass as String: kSecClassGenericPassword,
        kSecAttrService as String: service,
        kSecAttrAccount as String: account,
    ]
    let values: [String: Any] = [
        kSecAttrAccessControl as String: control  // expect
    ]
    return SecItemUpdate(query as CFDictionary, values as CFDictionary)
}
