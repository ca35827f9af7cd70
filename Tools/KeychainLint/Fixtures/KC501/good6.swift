import Security

struct Store {
    func save(_ value: Data, account: String) throws {
        var query: [String: Any] = [
            kSecClass as String: kSecClassGenericPassword, kSecAttrService as String: "api",
            kSecAttrAccount as String: account,
        ]
        let status = SecItemUpdate(query as CFDictionary, [kSecValueData: value] as CFDictionary)
        guard status == errSecItemNotFound else {
            guard status == errSecSuccess else { throw Failure(status) }
            return
        }
        query[kSecValueData as String] = value
        query[kSecAttrAccessible as String] = kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly
        let added = SecItemAdd(query as CFDictionary, nil)
        guard added == errSecSuccess else { throw Failure(added) }
    }

    func isSaved(_ value: Data) -> Bool { (try? save(value, account: "one")) != nil }

    func login(_ first: Data, _ second: Data) throws {
        try save(first, account: "access")
        do { try save(second, account: "refresh") } catch { throw Failure.second(error) }
    }

    func drop() { _ = try? forget() }

    private func forget() throws {
        let status = SecItemDelete(
            [
                kSecClass: kSecClassGenericPassword, kSecAttrService: "api",
                kSecAttrAccount: "access",
            ]
                as CFDictionary
        )
        guard status == errSecSuccess || status == errSecItemNotFound else { throw Failure(status) }
    }
}
