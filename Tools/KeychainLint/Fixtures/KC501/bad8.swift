import Security

final class Store {
    @discardableResult
    func save(_ value: Data, account: String) -> OSStatus {
        var query: [String: Any] = [
            kSecClass as String: kSecClassGenericPassword, kSecAttrService as String: "api",
            kSecAttrAccount as String: account,
        ]
        let status = SecItemUpdate(query as CFDictionary, [kSecValueData: value] as CFDictionary)
        guard status == errSecItemNotFound else { return status }
        query[kSecValueData as String] = value
        query[kSecAttrAccessible as String] = kSecAttrAccessibleAfterFirstUnlock
        return SecItemAdd(query as CFDictionary, nil)
    }
    func login(_ a: Data, _ b: Data) throws {
        let status = save(a, account: "access")
        guard status == errSecSuccess else { throw E(status) }
        save(b, account: "refresh")  // expect
    }
}
