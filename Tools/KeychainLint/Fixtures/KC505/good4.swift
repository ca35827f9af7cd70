import Security

func databaseKey(_ query: [String: Any], _ item: [String: Any]) throws -> Data {
    var result: CFTypeRef?
    let status = SecItemCopyMatching(query as CFDictionary, &result)
    if status == errSecSuccess, let key = result as? Data { return key }
    guard status == errSecItemNotFound else { throw StatusError(status) }
    let key = randomBytes(32)
    var new = item
    new[kSecValueData as String] = key
    let added = SecItemAdd(new as CFDictionary, nil)
    guard added == errSecSuccess else { throw StatusError(added) }
    return key
}
