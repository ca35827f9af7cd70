import Security

/// An audit may ask for items of one accessibility.
func audit(service: String) -> (OSStatus, [[String: Any]]) {
    let query: [CFString: Any] = [
        kSecClass: kSecClassGenericPassword,
        kSecAttrService: service,
        kSecAttrAccessible: kSecAttrAccessibleWhenUnlocked,
        kSecReturnAttributes: true,
        kSecMatchLimit: kSecMatchLimitAll,
    ]
    var result: CFTypeRef?
    let status = SecItemCopyMatching(query as CFDictionary, &result)
    return (status, result as? [[String: Any]] ?? [])
}
