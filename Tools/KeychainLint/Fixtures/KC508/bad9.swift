import Security

func save(_ v: Data) -> Result<Void, E> {
    let s = SecItemAdd(
        [
            kSecClass: kSecClassGenericPassword, kSecAttrService: "s", kSecAttrAccount: "p",
            kSecValueData: v, kSecAttrAccessible: kSecAttrAccessibleAfterFirstUnlock,
        ] as CFDictionary,
        nil
    )
    let fine = s == errSecSuccess || s == errSecDuplicateItem  // expect
    return fine ? .success(()) : .failure(E(s))
}
