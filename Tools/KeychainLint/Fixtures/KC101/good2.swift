import Security

func save(_ data: Data, attributes: [String: Any]) -> OSStatus {
    var query = attributes
    query[kSecClass as String] = kSecClassGenericPassword
    query[kSecValueData as String] = data
    return SecItemAdd(query as CFDictionary, nil)
}
