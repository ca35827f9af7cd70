import Security

func token(_ query: [String: Any]) throws -> Data? {
    var result: CFTypeRef?
    switch SecItemCopyMatching(query as CFDictionary, &result) {
    case errSecSuccess: return result as? Data
    case errSecItemNotFound: return nil
    default:
        SecItemDelete(query as CFDictionary)  // expect
        return nil
    }
}
