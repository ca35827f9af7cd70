import Security

func delete(_ query: [String: Any]) throws {
    let status = SecItemDelete(query as CFDictionary)  // expect
    guard status == errSecSuccess else { throw StatusError(status) }
}
