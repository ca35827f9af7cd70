import Security

struct TokenStore {
    func save(_ data: Data, account: String) -> OSStatus {
        let query: [String: Any] = [
            kSecClass as String: kSecClassGenericPassword,
            kSecAttrService as String: "session",
            kSecAttrAccount as String: account,
        ]
        let values: [String: Any] = [kSecValueData as String: data]
        let status = SecItemUpdate(query as CFDictionary, values as CFDictionary)
        guard status == errSecItemNotFound else { return status }
        var item = query.merging(values) { $1 }
        item[kSecAttrAccessible as String] = kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly
        return SecItemAdd(item as CFDictionary, nil)
    }
}

final class Account {
    private let store = TokenStore()
    private let cache = SessionCache()

    func signedIn(_ session: Data) throws {
        let status = store.save(session, account: "session")
        guard status == errSecSuccess else { throw SignInError(status) }
        // Another type's function of that name.
        cache.save(session, account: "session")
    }
}
