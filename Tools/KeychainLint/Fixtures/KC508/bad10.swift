import Security
extension OSStatus { var isFine: Bool { self == errSecSuccess || self == errSecDuplicateItem } }
func save(_ d: Data) -> Bool {
    let status = SecItemAdd([kSecClass: kSecClassGenericPassword, kSecAttrService: "s", kSecAttrAccount: "a", kSecAttrAccessible: kSecAttrAccessibleAfterFirstUnlock, kSecValueData: d] as CFDictionary, nil)
    return status.isFine  // expect
}
