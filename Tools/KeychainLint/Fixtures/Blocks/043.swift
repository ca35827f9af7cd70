// Generic passwords that become internet passwords, with four things left open on the way.
func migrateShopLogins() throws {
    let host = "shop.example"
    var found: AnyObject?
    let listed = SecItemCopyMatching(
        [
            kSecMatchLimit as String: kSecMatchLimitAll,
            kSecReturnData as String: true,
            kSecReturnAttributes as String: true,
            kSecAttrService as String: host,
            kSecClass as String: kSecClassGenericPassword,
        ] as CFDictionary,
        &found
    )
    guard listed == errSecSuccess, let logins = found as? [[String: Any]] else { return }

    for login in logins {
        guard
            let words = login[kSecValueData as String] as? Data,
            let name = login[kSecAttrAccount as String] as? String
        else { continue }

        let entry: [String: Any] = [
            kSecUseDataProtectionKeychain as String: true,
            kSecValueData as String: words,
            kSecAttrAccount as String: name,
            kSecAttrServer as String: host,
            kSecAttrProtocol as String: kSecAttrProtocolHTTPS,
            kSecClass as String: kSecClassInternetPassword,
        ]
        let added = SecItemAdd(entry as CFDictionary, nil)
        guard added == errSecSuccess || added == errSecDuplicateItem else { continue }

        let former: [String: Any] = [
            kSecAttrAccount as String: name,
            kSecAttrService as String: host,
            kSecClass as String: kSecClassGenericPassword,
        ]
        SecItemDelete(former as CFDictionary)
    }
}
