import Security

func token(_ query: [String: Any]) throws -> Data? {
    var result: CFTypeRef?
    let status = SecItemCopyMatching(query as CFDictionary, &result)
    guard status != errSecItemNotFound else { return nil }
    guard status == errSecSuccess else { throw StatusError(status) }
    return result as? Data
}
