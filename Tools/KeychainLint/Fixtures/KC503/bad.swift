import Security

func token(_ query: [String: Any]) -> Data? {
    var result: CFTypeRef?
    let status = SecItemCopyMatching(query as CFDictionary, &result)
    guard status == errSecSuccess else {
        SecItemDelete(query as CFDictionary)  // expect
        return nil
    }
    return result as? Data
}
