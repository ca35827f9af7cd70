import Security

struct Store {
    @discardableResult func put(_ value: Data, _ account: String) -> Bool {
        let q =
            [kSecClass: kSecClassGenericPassword, kSecAttrService: "s", kSecAttrAccount: account]
            as [CFString: Any]
        let status = SecItemUpdate(q as CFDictionary, [kSecValueData: value] as CFDictionary)
        if status == errSecItemNotFound {
            return SecItemAdd(
                q.merging([
                    kSecValueData: value, kSecAttrAccessible: kSecAttrAccessibleAfterFirstUnlock,
                ]) { $1 } as CFDictionary,
                nil
            ) == errSecSuccess
        }
        return status == errSecSuccess
    }
    func signIn(_ a: Data, _ b: Data) -> Bool {
        guard put(a, "a") else { return false }
        put(b, "b")  // expect
        return true
    }
}
