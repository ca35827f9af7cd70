import Security

func everything(service: String) throws -> [String: Any]? {
    let query = [
        kSecClass: kSecClassGenericPassword, kSecAttrService: service,
        kSecReturnAttributes: true, kSecMatchLimit: kSecMatchLimitAll,
    ] as CFDictionary
    var items: AnyObject?
    let status = SecItemCopyMatching(query, &items)
    guard status == errSecSuccess else { throw StatusError(status) }
    return items as? [String: Any]  // expect
}
