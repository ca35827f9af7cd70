import Security

func rename(service: String, from old: String, to new: String) -> OSStatus {
    let query: [String: Any] = [
        kSecClass as String: kSecClassGenericPassword,
        kSecAttrService as String: service,
        kSecAttrAccount as String: old,
    ]
    let values: [String: Any] = [
        kSecAttrAccount as String: new  // expect
    ]
    return SecItemUpdate(query as CFDictionary, values as CFDictionary)
}
