import Security

func keep(_ token: Data) -> Bool {
    let status = SecItemAdd(
        [
            kSecClass: kSecClassGenericPassword, kSecAttrService: "api", kSecAttrAccount: "t",
            kSecValueData: token, kSecAttrAccessible: kSecAttrAccessibleAfterFirstUnlock,
        ] as CFDictionary,
        nil
    )
    if status == errSecDuplicateItem { return true }  // expect
    return status == errSecSuccess
}
