import Security

func token(_ query: [String: Any]) throws -> Data? {
    var result: CFTypeRef?
    let status = SecItemCopyMatching(query as CFDictionary, &result)
    if status == errSecItemNotFound {  // expect
        fatalError("no token")
    }
    guard status == errSecSuccess else { throw StatusError(status) }
    return result as? Data
}
