import Security

func update(_ query: [String: Any], _ values: [String: Any]) -> Bool {
    let status = SecItemUpdate(query as CFDictionary, values as CFDictionary)
    guard status == errSecSuccess else { return false }  // expect
    return true
}
