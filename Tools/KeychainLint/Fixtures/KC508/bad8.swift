import Security

func keep(_ token: Data) async throws {
    do { try add(token) } catch KeychainError.duplicate { return }  // expect
}
func add(_ token: Data) throws {
    let status = SecItemAdd(
        [
            kSecClass: kSecClassGenericPassword, kSecAttrService: "api", kSecAttrAccount: "t",
            kSecValueData: token, kSecAttrAccessible: kSecAttrAccessibleAfterFirstUnlock,
        ] as CFDictionary,
        nil
    )
    if status == errSecDuplicateItem { throw KeychainError.duplicate }
    guard status == errSecSuccess else { throw KeychainError.status(status) }
}
