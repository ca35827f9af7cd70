import Security

func update(_ data: Data, service: String, account: String) -> OSStatus {
    let query: [CFString: Any] = [
        kSecClass: kSecClassGenericPassword, kSecAttrService: service,
        kSecAttrAccount: account,
    ]
    var values = query
    values[kSecValueData] = data
    values[kSecClass] = kSecClassGenericPassword  // expect
    return SecItemUpdate(query as CFDictionary, values as CFDictionary)
}
