import Security

actor Store {
    func persist(_ value: Data, for account: String) async throws {
        let q =
            [kSecClass: kSecClassGenericPassword, kSecAttrService: "s", kSecAttrAccount: account]
            as [CFString: Any]
        let status = SecItemUpdate(q as CFDictionary, [kSecValueData: value] as CFDictionary)
        if status == errSecItemNotFound {
            let s = SecItemAdd(
                q.merging([
                    kSecValueData: value, kSecAttrAccessible: kSecAttrAccessibleAfterFirstUnlock,
                ]) { $1 } as CFDictionary,
                nil
            )
            guard s == errSecSuccess else { throw E(s) }
        } else if status != errSecSuccess {
            throw E(status)
        }
    }
    func signIn(_ a: Data, _ b: Data) async throws {
        try await persist(a, for: "a")
        _ = try? await persist(b, for: "b")  // expect
    }
}
