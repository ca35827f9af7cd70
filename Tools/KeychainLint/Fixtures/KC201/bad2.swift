import Security

private func base(_ account: String) -> [String: Any] {
    var query = [String: Any]()
    query[kSecClass as String] = kSecClassGenericPassword
    query[kSecAttrService as String] = "notes"
    query[kSecAttrAccount as String] = account
    return query
}

func save(_ data: Data, account: String) -> OSStatus {
    var item = base(account)
    item.merge([kSecValueData as String: data]) { _, new in new }
    return SecItemAdd(item as CFDictionary, nil)  // expect
}
