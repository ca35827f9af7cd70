import Security

struct FirstLaunchCleanup {
    private static let classes = [kSecClassGenericPassword, kSecClassInternetPassword]

    func run() throws {
        for itemClass in Self.classes {
            let query: [String: Any] = [
                kSecClass as String: itemClass,
                kSecAttrSynchronizable as String: kSecAttrSynchronizableAny,
            ]
            let status = SecItemDelete(query as CFDictionary)  // expect
            guard status == errSecSuccess || status == errSecItemNotFound else {
                throw StatusError(status)
            }
        }
    }
}
