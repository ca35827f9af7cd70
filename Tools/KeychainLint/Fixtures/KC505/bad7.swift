import Security

func token(_ query: [String: Any]) -> Data? {
    var result: CFTypeRef?
    let status = SecItemCopyMatching(query as CFDictionary, &result)
    guard status != errSecSuccess else { return result as? Data }  // expect
    print("no token")
    return nil
}
