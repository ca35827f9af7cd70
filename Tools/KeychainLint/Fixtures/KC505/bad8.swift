import Security

struct DatabaseKey {
    func load(_ query: [String: Any]) throws -> Data {
        var result: CFTypeRef?
        let status = SecItemCopyMatching(query as CFDictionary, &result)
        guard status == errSecSuccess, let key = result as? Data else {  // expect
            return try create()
        }
        return key
    }

    private func create() throws -> Data {
        let key = randomBytes(32)
        let item: [String: Any] = [
            kSecClass as String: kSecClassGenericPassword,
            kSecAttrService as String: "database",
            kSecAttrAccount as String: "key",
            kSecAttrAccessible as String: kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly,
            kSecValueData as String: key,
        ]
        let status = SecItemAdd(item as CFDictionary, nil)
        guard status == errSecSuccess else { throw StatusError(status) }
        return key
    }
}
