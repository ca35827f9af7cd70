import Security

func save(_ item: [String: Any]) throws {
    let status = SecItemAdd(item as CFDictionary, nil)
    guard status == errSecSuccess || status == errSecDuplicateItem else {  // expect
        throw StatusError(status)
    }
}
