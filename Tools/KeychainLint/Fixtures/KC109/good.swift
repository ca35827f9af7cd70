import Security

func update(_ data: Data, service: String, account: String) -> OSStatus {
    let query: [String: Any] = [
        kSecClass as String: kSecClassGenericPassword,
        kSecAttrService as String: service,
        kSecAttrAccount as String: account,
    ]
    return SecItemUpdate(
        query as CFDictionary,
        [kSecValueData as String: data] as CFDictionary
    )
}
