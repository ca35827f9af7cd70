import Security

extension Session {
    func keep(_ ticket: Data) -> Bool {
        clearTicket()
        let item: [CFString: Any] = [
            kSecClass: kSecClassGenericPassword,
            kSecAttrService: "session",
            kSecAttrAccount: "ticket",
            kSecAttrAccessible: kSecAttrAccessibleAfterFirstUnlock,
            kSecValueData: ticket,
        ]
        let status = SecItemAdd(item as CFDictionary, nil)
        return status == errSecSuccess
    }
}
