import Security

func save(_ item: [String: Any], query: [String: Any], values: [String: Any]) throws {
    var status = SecItemAdd(item as CFDictionary, nil)
    if status == errSecDuplicateItem {
        status = SecItemUpdate(query as CFDictionary, values as CFDictionary)
    }
    guard status == errSecSuccess else { throw StatusError(status) }
}
