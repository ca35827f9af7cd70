import Security

func keep(_ token: Data) throws {
    let status = SecItemAdd(
        [
            kSecClass: kSecClassGenericPassword, kSecAttrService: "api", kSecAttrAccount: "t",
            kSecValueData: token, kSecAttrAccessible: kSecAttrAccessibleAfterFirstUnlock,
        ] as CFDictionary,
        nil
    )
    switch status {
    case errSecSuccess: break
    case errSecDuplicateItem: break  // expect
    default: throw E(status)
    }
}
