import Security

func save(_ item: [String: Any]) throws {
    let status = SecItemAdd(item as CFDictionary, nil)
    switch status {
    case errSecSuccess, errSecDuplicateItem: return  // expect
    default: throw StatusError(status)
    }
}
