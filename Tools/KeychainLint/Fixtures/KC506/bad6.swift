import Security

func pin() throws -> Data {
    var out: AnyObject?
    let status = SecItemCopyMatching(
        [
            kSecClass: kSecClassGenericPassword, kSecAttrService: "s", kSecAttrAccount: "p",
            kSecReturnData: true, kSecMatchLimit: kSecMatchLimitOne,
        ] as CFDictionary,
        &out
    )
    guard status != errSecItemNotFound else {  // expect
        Analytics.crash("pin lost")
        throw StoreError.dataCorrupted
    }
    guard status == errSecSuccess, let d = out as? Data else { throw StoreError.status(status) }
    return d
}
