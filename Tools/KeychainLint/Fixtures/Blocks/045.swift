// An update first and an add after it, which leaves out the protection level.
func putIntoKeychain(_ bytes: Data, of holder: String, line: String) -> OSStatus {
    var entry: [String: Any] = [
        kSecAttrAccount as String: holder,
        kSecAttrService as String: line,
        kSecClass as String: kSecClassGenericPassword,
    ]
    let change = [kSecValueData as String: bytes]
    let updated = SecItemUpdate(entry as CFDictionary, change as CFDictionary)
    guard updated == errSecItemNotFound else { return updated }

    entry[kSecValueData as String] = bytes
    return SecItemAdd(entry as CFDictionary, nil)
}
