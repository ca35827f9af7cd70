import Security

func save(_ item: [String: Any]) -> Bool {
    SecItemAdd(item as CFDictionary, nil) == errSecSuccess  // expect
}
