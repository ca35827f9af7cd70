import Security

/// The first date counts.
struct FirstUse {
    func begin(_ date: Data) throws {
        guard try known() == nil else { return }
        let status = SecItemAdd(
            [
                kSecClass: kSecClassGenericPassword, kSecAttrService: "api",
                kSecAttrAccount: "first", kSecValueData: date,
                kSecAttrAccessible: kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly,
            ] as CFDictionary,
            nil
        )
        switch status {
        case errSecSuccess: return
        case errSecDuplicateItem: return
        default: throw Failure(status)
        }
    }

    func known() throws -> Data? {
        var item: CFTypeRef?
        let status = SecItemCopyMatching(
            [
                kSecClass: kSecClassGenericPassword, kSecAttrService: "api",
                kSecAttrAccount: "first", kSecReturnData: true, kSecMatchLimit: kSecMatchLimitOne,
            ] as CFDictionary,
            &item
        )
        if status == errSecItemNotFound { return nil }
        guard status == errSecSuccess else { throw Failure(status) }
        return item as? Data
    }
}
