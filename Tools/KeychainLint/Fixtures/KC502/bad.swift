import Security

func save(_ item: [String: Any]) throws {
    let status = SecItemAdd(item as CFDictionary, nil)  // expect
    guard status == errSecSuccess else { throw StatusError(status) }
}
