import Security

struct TokenStore {
    @discardableResult
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

    @discardableResult
    func saveSession(_ data: Data) -> OSStatus {
        save(data, account: "session")
    }
}

final class Account {
    private let store = TokenStore()

    func signedIn(_ session: Data, _ refresh: Data) {
        _ = store.save(refresh, account: "refresh")  // expect
        store.saveSession(session)  // expect
    }
}
