// ★ Made from Fixtures by generate.py: examples of the rules of KC1.

extension Examples {
    static let badKC1: [String: String] = [
        "KC101": ##"""
        func save(_ data: Data) -> OSStatus {
            let query: [String: Any] = [
                kSecClass as String: kSecClassGenericPassword,
                kSecAttrAccessible as String: kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly,
                kSecValueData as String: data,
            ]
            return SecItemAdd(query as CFDictionary, nil)
        }
        """##,
        "KC102": ##"""
        func read(service: String, account: String) -> (OSStatus, Data?) {
            var query: [CFString: Any] = [kSecClass: kSecClassGenericPassword]
            query[kSecAttrService] = service
            query[kSecAttrAccount] = account
            query[kSecAttrAccessible] = kSecAttrAccessibleAfterFirstUnlock
            query[kSecReturnData] = true
            var result: CFTypeRef?
            let status = SecItemCopyMatching(query as CFDictionary, &result)
            return (status, result as? Data)
        }
        """##,
        "KC103": ##"""
        func saveIfMissing(_ data: Data) -> OSStatus {
            let lookup: [String: Any] = [
                kSecClass as String: kSecClassGenericPassword,
                kSecAttrService as String: "mail",
                kSecAttrAccount as String: "ada",
                kSecAttrLabel as String: "Mail password",
                kSecMatchLimit as String: kSecMatchLimitOne,
            ]
            let status = SecItemCopyMatching(lookup as CFDictionary, nil)
            guard status == errSecItemNotFound else { return status }
            let item: [String: Any] = [
                kSecClass as String: kSecClassGenericPassword,
                kSecAttrService as String: "mail",
                kSecAttrAccount as String: "ada",
                kSecAttrAccessible as String: kSecAttrAccessibleAfterFirstUnlock,
                kSecValueData as String: data,
            ]
            return SecItemAdd(item as CFDictionary, nil)
        }
        """##,
        "KC104": ##"""
        func read(service: String, account: String) throws -> Data? {
            let query: [String: Any] = [
                kSecClass as String: kSecClassGenericPassword,
                kSecAttrService as String: service,
                kSecAttrAccount as String: account,
                kSecMatchLimit as String: kSecMatchLimitOne,
            ]
            var result: CFTypeRef?
            let status = SecItemCopyMatching(query as CFDictionary, &result)
            guard status == errSecSuccess else { throw StatusError(status) }
            return result as? Data
        }
        """##,
        "KC105": ##"""
        func exists(service: String, account: String) -> OSStatus {
            let query: [String: Any] = [
                kSecClass as String: kSecClassGenericPassword,
                kSecAttrService as String: service,
                kSecAttrAccount as String: account,
            ]
            return SecItemCopyMatching(query as CFDictionary, nil)
        }
        """##,
        "KC106": ##"""
        func attributes(service: String, account: String) throws -> Data {
            let query: [String: Any] = [
                kSecClass as String: kSecClassGenericPassword,
                kSecAttrService as String: service,
                kSecAttrAccount as String: account,
                kSecReturnAttributes as String: true,
                kSecReturnData as String: true,
            ]
            var result: CFTypeRef?
            let status = SecItemCopyMatching(query as CFDictionary, &result)
            guard status == errSecSuccess else { throw StatusError(status) }
            return result as! Data
        }
        """##,
        "KC107": ##"""
        func forget(service: String) -> OSStatus {
            let query: [String: Any] = [
                kSecClass as String: kSecClassGenericPassword,
                kSecAttrService as String: service,
            ]
            return SecItemDelete(query as CFDictionary)
        }
        """##,
        "KC108": ##"""
        func delete(service: String, account: String) -> OSStatus {
            let query: [String: Any] = [
                kSecClass as String: kSecClassGenericPassword,
                kSecAttrService as String: service,
                kSecAttrAccount as String: account,
                kSecMatchLimit as String: kSecMatchLimitOne,
            ]
            return SecItemDelete(query as CFDictionary)
        }
        """##,
        "KC109": ##"""
        func update(_ data: Data, service: String, account: String) -> OSStatus {
            var query: [String: Any] = [
                kSecClass as String: kSecClassGenericPassword,
                kSecAttrService as String: service,
                kSecAttrAccount as String: account,
            ]
            query[kSecReturnData as String] = true
            return SecItemUpdate(
                query as CFDictionary,
                [kSecValueData as String: data] as CFDictionary
            )
        }
        """##,
        "KC110": ##"""
        func replace(_ data: Data, service: String, account: String) -> OSStatus {
            var query: [String: Any] = [
                kSecClass as String: kSecClassGenericPassword,
                kSecAttrService as String: service,
                kSecAttrAccount as String: account,
            ]
            let status = SecItemUpdate(
                query as CFDictionary,
                [kSecValueData as String: data] as CFDictionary
            )
            guard status == errSecItemNotFound else { return status }
            query[kSecAttrAccessible as String] = kSecAttrAccessibleAfterFirstUnlock
            query[kSecValueData as String] = data
            return SecItemAdd(query as CFDictionary, nil)
        }
        """##,
        "KC111": ##"""
        func read(service: String, account: String) -> OSStatus {
            let query: [String: Any] = [
                kSecClass as String: kSecClassGenericPassword,
                "svce": service,
                "acct": account,
                kSecMatchLimit as String: kSecMatchLimitOne,
            ]
            return SecItemCopyMatching(query as CFDictionary, nil)
        }
        """##,
        "KC112": ##"""
        func exists(service: String, account: String) -> OSStatus {
            let query: [String: Any] = [
                kSecClass as String: kSecClassGenericPassword,
                kSecAttrService as String: service,
                kSecAttrAccount as String: account,
                kSecReturnData as String: true,
                kSecMatchLimit as String: kSecMatchLimitOne,
            ]
            return SecItemCopyMatching(query as CFDictionary, nil)
        }
        """##,
        "KC113": ##"""
        func everything() -> OSStatus {
            let query: [String: Any] = [
                kSecClass as String: kSecClassGenericPassword,
                kSecReturnAttributes as String: true,
                kSecMatchLimit as String: kSecMatchLimitAll,
            ]
            var result: CFTypeRef?
            return SecItemCopyMatching(query as CFDictionary, &result)
        }
        """##,
        "KC114": ##"""
        func save(_ data: Data, identifier: Data) -> OSStatus {
            let item: [String: Any] = [
                kSecClass as String: kSecClassGenericPassword,
                kSecAttrGeneric as String: identifier,
                kSecAttrAccessible as String: kSecAttrAccessibleAfterFirstUnlock,
                kSecValueData as String: data,
            ]
            return SecItemAdd(item as CFDictionary, nil)
        }
        """##,
        "KC115": ##"""
        func read(service: String, account: String) -> OSStatus {
            let query: [String: Any] = [
                kSecAttrService as String: service,
                kSecAttrAccount as String: account,
                kSecMatchLimit as String: kSecMatchLimitOne,
            ]
            return SecItemCopyMatching(query as CFDictionary, nil)
        }
        """##,
    ]
    static let goodKC1: [String: String] = [
        "KC101": ##"""
        func save(_ data: Data, service: String, account: String) -> OSStatus {
            let query: [String: Any] = [
                kSecClass as String: kSecClassGenericPassword,
                kSecAttrService as String: service,
                kSecAttrAccount as String: account,
                kSecAttrAccessible as String: kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly,
                kSecValueData as String: data,
            ]
            return SecItemAdd(query as CFDictionary, nil)
        }
        """##,
        "KC102": ##"""
        func read(service: String, account: String) -> (OSStatus, Data?) {
            let query: [CFString: Any] = [
                kSecClass: kSecClassGenericPassword,
                kSecAttrService: service,
                kSecAttrAccount: account,
                kSecReturnData: true,
            ]
            var result: CFTypeRef?
            let status = SecItemCopyMatching(query as CFDictionary, &result)
            return (status, result as? Data)
        }
        """##,
        "KC103": ##"""
        func saveIfMissing(_ data: Data) -> OSStatus {
            let lookup: [String: Any] = [
                kSecClass as String: kSecClassGenericPassword,
                kSecAttrService as String: "mail",
                kSecAttrAccount as String: "ada",
                kSecMatchLimit as String: kSecMatchLimitOne,
            ]
            let status = SecItemCopyMatching(lookup as CFDictionary, nil)
            guard status == errSecItemNotFound else { return status }
            var item = lookup
            item.removeValue(forKey: kSecMatchLimit as String)
            item[kSecAttrLabel as String] = "Mail password"
            item[kSecAttrAccessible as String] = kSecAttrAccessibleAfterFirstUnlock
            item[kSecValueData as String] = data
            return SecItemAdd(item as CFDictionary, nil)
        }
        """##,
        "KC104": ##"""
        func read(service: String, account: String) throws -> Data? {
            let query: [String: Any] = [
                kSecClass as String: kSecClassGenericPassword,
                kSecAttrService as String: service,
                kSecAttrAccount as String: account,
                kSecMatchLimit as String: kSecMatchLimitOne,
                kSecReturnData as String: true,
            ]
            var result: CFTypeRef?
            let status = SecItemCopyMatching(query as CFDictionary, &result)
            guard status == errSecSuccess else { throw StatusError(status) }
            return result as? Data
        }
        """##,
        "KC105": ##"""
        func exists(service: String, account: String) -> OSStatus {
            let query: [String: Any] = [
                kSecClass as String: kSecClassGenericPassword,
                kSecAttrService as String: service,
                kSecAttrAccount as String: account,
                kSecMatchLimit as String: kSecMatchLimitOne,
            ]
            return SecItemCopyMatching(query as CFDictionary, nil)
        }
        """##,
        "KC106": ##"""
        func attributes(service: String, account: String) throws -> Data? {
            let query: [String: Any] = [
                kSecClass as String: kSecClassGenericPassword,
                kSecAttrService as String: service,
                kSecAttrAccount as String: account,
                kSecReturnAttributes as String: true,
                kSecReturnData as String: true,
            ]
            var result: CFTypeRef?
            let status = SecItemCopyMatching(query as CFDictionary, &result)
            guard status == errSecSuccess else { throw StatusError(status) }
            let attributes = result as? [String: Any]
            return attributes?[kSecValueData as String] as? Data
        }
        """##,
        "KC107": ##"""
        func forget(service: String, account: String) -> OSStatus {
            let query: [String: Any] = [
                kSecClass as String: kSecClassGenericPassword,
                kSecAttrService as String: service,
                kSecAttrAccount as String: account,
            ]
            return SecItemDelete(query as CFDictionary)
        }
        """##,
        "KC108": ##"""
        func delete(service: String, account: String) -> OSStatus {
            let query: [String: Any] = [
                kSecClass as String: kSecClassGenericPassword,
                kSecAttrService as String: service,
                kSecAttrAccount as String: account,
            ]
            return SecItemDelete(query as CFDictionary)
        }
        """##,
        "KC109": ##"""
        func update(_ data: Data, service: String, account: String) -> OSStatus {
            let query: [String: Any] = [
                kSecClass as String: kSecClassGenericPassword,
                kSecAttrService as String: service,
                kSecAttrAccount as String: account,
            ]
            return SecItemUpdate(
                query as CFDictionary,
                [kSecValueData as String: data] as CFDictionary
            )
        }
        """##,
        "KC110": ##"""
        func replace(_ data: Data, service: String, account: String) -> OSStatus {
            let base: [String: Any] = [
                kSecClass as String: kSecClassGenericPassword,
                kSecAttrService as String: service,
                kSecAttrAccount as String: account,
            ]
            let status = SecItemUpdate(
                base as CFDictionary,
                [kSecValueData as String: data] as CFDictionary
            )
            guard status == errSecItemNotFound else { return status }
            var item = base
            item[kSecAttrAccessible as String] = kSecAttrAccessibleAfterFirstUnlock
            item[kSecValueData as String] = data
            return SecItemAdd(item as CFDictionary, nil)
        }
        """##,
        "KC111": ##"""
        /// The same words in a dictionary that reaches no keychain.
        func record(service: String, account: String) -> [String: Any] {
            ["svce": service, "acct": account, "class": "genp"]
        }
        """##,
        "KC112": ##"""
        func read(service: String, account: String) throws -> Data? {
            let query: [String: Any] = [
                kSecClass as String: kSecClassGenericPassword,
                kSecAttrService as String: service,
                kSecAttrAccount as String: account,
                kSecReturnData as String: true,
                kSecMatchLimit as String: kSecMatchLimitOne,
            ]
            var result: CFTypeRef?
            let status = SecItemCopyMatching(query as CFDictionary, &result)
            guard status == errSecSuccess else { throw StatusError(status) }
            return result as? Data
        }
        """##,
        "KC113": ##"""
        func accounts(service: String) -> OSStatus {
            let query: [String: Any] = [
                kSecClass as String: kSecClassGenericPassword,
                kSecAttrService as String: service,
                kSecReturnAttributes as String: true,
                kSecMatchLimit as String: kSecMatchLimitAll,
            ]
            var result: CFTypeRef?
            return SecItemCopyMatching(query as CFDictionary, &result)
        }
        """##,
        "KC114": ##"""
        func save(_ data: Data, identifier: Data, service: String, account: String) -> OSStatus
        {
            let item: [String: Any] = [
                kSecClass as String: kSecClassGenericPassword,
                kSecAttrGeneric as String: identifier,
                kSecAttrService as String: service,
                kSecAttrAccount as String: account,
                kSecAttrAccessible as String: kSecAttrAccessibleAfterFirstUnlock,
                kSecValueData as String: data,
            ]
            return SecItemAdd(item as CFDictionary, nil)
        }
        """##,
        "KC115": ##"""
        func read(reference: Data) -> (OSStatus, Data?) {
            let query: [String: Any] = [
                kSecValuePersistentRef as String: reference,
                kSecReturnData as String: true,
            ]
            var result: CFTypeRef?
            let status = SecItemCopyMatching(query as CFDictionary, &result)
            return (status, result as? Data)
        }
        """##,
    ]
}
