import Security

func once(_ v: Data) throws {
    guard
        [errSecSuccess, errSecDuplicateItem].contains(  // expect
            SecItemAdd(
                [
                    kSecClass: kSecClassGenericPassword, kSecAttrService: "s", kSecAttrAccount: "p",
                    kSecValueData: v, kSecAttrAccessible: kSecAttrAccessibleAfterFirstUnlock,
                ] as CFDictionary,
                nil
            )
        )
    else { throw E.no }
}
