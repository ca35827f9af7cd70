import Security

func saveBoth(_ access: Data, _ refresh: Data) throws {
    let first: [String: Any] = [
        kSecClass as String: kSecClassGenericPassword, kSecAttrService as String: "api",
        kSecAttrAccount as String: "access", kSecValueData as String: access,
        kSecAttrAccessible as String: kSecAttrAccessibleAfterFirstUnlock,
    ]
    let status = SecItemAdd(first as CFDictionary, nil)
    if status == errSecDuplicateItem {
        let found = SecItemUpdate(
            [
                kSecClass: kSecClassGenericPassword, kSecAttrService: "api",
                kSecAttrAccount: "access",
            ] as CFDictionary,
            [kSecValueData: access] as CFDictionary
        )
        guard found == errSecSuccess else { throw E(found) }
    } else if status != errSecSuccess {
        throw E(status)
    }
    try? save(refresh, account: "refresh")  // expect
}
func save(_ value: Data, account: String) throws {
    var query: [String: Any] = [
        kSecClass as String: kSecClassGenericPassword, kSecAttrService as String: "api",
        kSecAttrAccount as String: account,
    ]
    let status = SecItemUpdate(query as CFDictionary, [kSecValueData: value] as CFDictionary)
    if status == errSecItemNotFound {
        query[kSecValueData as String] = value
        query[kSecAttrAccessible as String] = kSecAttrAccessibleAfterFirstUnlock
        let added = SecItemAdd(query as CFDictionary, nil)
        guard added == errSecSuccess else { throw E(added) }
    } else if status != errSecSuccess {
        throw E(status)
    }
}
