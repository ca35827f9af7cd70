import Security

func save(_ item: [String: Any]) {
    SecItemAdd(item as CFDictionary, nil)  // expect
}
