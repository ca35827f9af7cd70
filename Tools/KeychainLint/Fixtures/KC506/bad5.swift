import Security

func load() -> Data? {
    var item: CFTypeRef?
    let status = SecItemCopyMatching(
        [
            kSecClass: kSecClassGenericPassword, kSecAttrService: "api", kSecAttrAccount: "t",
            kSecReturnData: true, kSecMatchLimit: kSecMatchLimitOne,
        ] as CFDictionary,
        &item
    )
    switch status {
    case errSecSuccess: return item as? Data
    case errSecItemNotFound: assertionFailure("no token"); return nil  // expect
    default: Log.error("status \(status)"); return nil
    }
}
