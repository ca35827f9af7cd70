import Security
let accepted: Set<OSStatus> = [errSecSuccess, errSecDuplicateItem]
func save(_ d: Data) throws {
    let status = SecItemAdd([kSecClass: kSecClassGenericPassword, kSecAttrService: "s", kSecAttrAccount: "a", kSecAttrAccessible: kSecAttrAccessibleAfterFirstUnlock, kSecValueData: d] as CFDictionary, nil)
    guard accepted.contains(status) else { throw KeychainError(status) }  // expect
}
