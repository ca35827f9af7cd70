import Security

func keep(_ token: Data) throws {
    let accepted: Set<OSStatus> = [errSecSuccess, errSecDuplicateItem]
    let status = SecItemAdd(
        [
            kSecClass: kSecClassGenericPassword, kSecAttrService: "api", kSecAttrAccount: "t",
            kSecValueData: token, kSecAttrAccessible: kSecAttrAccessibleAfterFirstUnlock,
        ] as CFDictionary,
        nil
    )
    guard accepted.contains(status) else { throw E(status) }  // expect
}
