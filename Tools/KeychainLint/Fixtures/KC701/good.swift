import Security

func read(service: String, account: String, group: String) -> [OSStatus] {
    var query: [String: Any] = [
        kSecClass as String: kSecClassGenericPassword,
        kSecAttrService as String: service,
        kSecAttrAccount as String: account,
        kSecMatchLimit as String: kSecMatchLimitOne,
    ]
    query[kSecAttrAccessGroup as String] = "A1B2C3D4E5.org.example.shared"
    let first = SecItemCopyMatching(query as CFDictionary, nil)
    query[kSecAttrAccessGroup as String] = "group.org.example"
    let second = SecItemCopyMatching(query as CFDictionary, nil)
    query[kSecAttrAccessGroup as String] = group
    return [first, second, SecItemCopyMatching(query as CFDictionary, nil)]
}
