import Security

func update(_ query: [String: Any], _ values: [String: Any]) throws {
    let status = SecItemUpdate(query as CFDictionary, values as CFDictionary)
    guard status == errSecSuccess else { throw StatusError(status) }
}
