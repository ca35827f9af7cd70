import Security

func token(_ query: [String: Any]) throws -> Data? {
    var result: CFTypeRef?
    let status = SecItemCopyMatching(query as CFDictionary, &result)
    if status == errSecSuccess { return result as? Data }
    guard status == errSecItemNotFound else { throw StatusError(status) }
    // Now the old name of the item is of no use either.
    let old = [kSecClass: kSecClassGenericPassword, kSecAttrService: "a", kSecAttrAccount: "b"]
    let deleted = SecItemDelete(old as CFDictionary)
    guard deleted == errSecSuccess || deleted == errSecItemNotFound else {
        throw StatusError(deleted)
    }
    return nil
}
