import Security

func cleanUpAfterReinstall() throws {
    try deleteAllItems()
}

func deleteAllItems() throws {
    let classes = [
        kSecClassGenericPassword, kSecClassInternetPassword, kSecClassCertificate,
        kSecClassKey, kSecClassIdentity,
    ]
    for itemClass in classes {
        let query: [String: Any] = [kSecClass as String: itemClass]
        let status = SecItemDelete(query as CFDictionary)  // expect
        guard status == errSecSuccess || status == errSecItemNotFound else {
            throw StatusError(status)
        }
    }
}
