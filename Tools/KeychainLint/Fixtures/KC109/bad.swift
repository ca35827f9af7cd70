import Security

func update(_ data: Data, service: String, account: String) -> OSStatus {
    var query: [String: Any] = [
        kSecClass as String: kSecClassGenericPassword,
        kSecAttrService as String: service,
        kSecAttrAccount as String: account,
    ]
    query[kSecReturnData as String] = true  // expect
    return SecItemUpdate(
        query as CFDictionary,
        [kSecValueData as String: data] as CFDictionary
    )
}
