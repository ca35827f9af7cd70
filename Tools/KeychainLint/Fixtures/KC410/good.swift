import Security

func label(service: String, account: String, as label: String) -> OSStatus {
    let query: [String: Any] = [
        kSecClass as String: kSecClassGenericPassword,
        kSecAttrService as String: service,
        kSecAttrAccount as String: account,
    ]
    return SecItemUpdate(
        query as CFDictionary,
        [kSecAttrLabel as String: label] as CFDictionary
    )
}
