import Security

enum Session {
    static func save(_ access: Data, _ refresh: Data) -> [OSStatus] {
        let first: [CFString: Any] = [
            kSecClass: kSecClassGenericPassword, kSecAttrService: "session",
            kSecAttrAccount: "access", kSecValueData: access,
            kSecAttrAccessible: kSecAttrAccessibleAfterFirstUnlock,
        ]
        let second: [CFString: Any] = [
            kSecClass: kSecClassGenericPassword, kSecAttrService: "session",
            kSecAttrAccount: "refresh", kSecValueData: refresh,
            kSecAttrAccessible: kSecAttrAccessibleAfterFirstUnlock,
        ]
        return [
            SecItemAdd(first as CFDictionary, nil),
            SecItemAdd(second as CFDictionary, nil),
        ]
    }

    static func signOut() -> OSStatus {
        let query: [CFString: Any] = [
            kSecClass: kSecClassGenericPassword, kSecAttrService: "session",
            kSecAttrAccount: "access",
        ]
        return SecItemDelete(query as CFDictionary)  // expect
    }
}
