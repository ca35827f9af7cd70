import Security

func update(_ data: Data, service: String, account: String) throws {
    let query: [String: Any] = [
        kSecClass as String: kSecClassGenericPassword,
        kSecAttrService as String: service,
        kSecAttrAccount as String: account,
    ]
    let status = SecItemUpdate(
        query as CFDictionary,
        [kSecValueData as String: data] as CFDictionary
    )
    guard status == errSecSuccess else {
        throw StatusError(
            status,
            operation: "update",
            service: service,
            account: account
        )
    }
}
