import Security

struct Store {
    func save(_ item: [String: Any], account: String) -> OSStatus {
        delete(account)
        return SecItemAdd(item as CFDictionary, nil)  // expect
    }

    @discardableResult
    func delete(_ account: String) -> OSStatus {
        let query: [String: Any] = [
            kSecClass as String: kSecClassGenericPassword,
            kSecAttrService as String: "notes",
            kSecAttrAccount as String: account,
        ]
        return SecItemDelete(query as CFDictionary)
    }
}
