import Security

func token(_ query: [String: Any]) -> Data? {
    var result: CFTypeRef?
    let status = SecItemCopyMatching(query as CFDictionary, &result)
    if status == errSecSuccess { return result as? Data }
    print("no token: \(status)")
    SecItemDelete(query as CFDictionary)  // expect
    return nil
}
