// ★ Made from Fixtures by generate.py: examples of the rules of KC5.

extension Examples {
    static let badKC5: [String: String] = [
        "KC501": ##"""
        func save(_ item: [String: Any]) {
            SecItemAdd(item as CFDictionary, nil)
        }
        """##,
        "KC502": ##"""
        func save(_ item: [String: Any]) throws {
            let status = SecItemAdd(item as CFDictionary, nil)
            guard status == errSecSuccess else { throw StatusError(status) }
        }
        """##,
        "KC503": ##"""
        func token(_ query: [String: Any]) -> Data? {
            var result: CFTypeRef?
            let status = SecItemCopyMatching(query as CFDictionary, &result)
            guard status == errSecSuccess else {
                SecItemDelete(query as CFDictionary)
                return nil
            }
            return result as? Data
        }
        """##,
        "KC504": ##"""
        func save(_ data: Data, service: String, account: String) -> OSStatus {
            let query: [String: Any] = [
                kSecClass as String: kSecClassGenericPassword,
                kSecAttrService as String: service,
                kSecAttrAccount as String: account,
            ]
            SecItemDelete(query as CFDictionary)
            var item = query
            item[kSecAttrAccessible as String] = kSecAttrAccessibleAfterFirstUnlock
            item[kSecValueData as String] = data
            return SecItemAdd(item as CFDictionary, nil)
        }
        """##,
        "KC505": ##"""
        func token(_ query: [String: Any]) -> Data? {
            var result: CFTypeRef?
            let status = SecItemCopyMatching(query as CFDictionary, &result)
            guard status == errSecSuccess else { return nil }
            return result as? Data
        }
        """##,
        "KC506": ##"""
        func delete(_ query: [String: Any]) throws {
            let status = SecItemDelete(query as CFDictionary)
            guard status == errSecSuccess else { throw StatusError(status) }
        }
        """##,
        "KC507": ##"""
        func update(_ query: [String: Any], _ values: [String: Any]) -> Bool {
            let status = SecItemUpdate(query as CFDictionary, values as CFDictionary)
            guard status == errSecSuccess else { return false }
            return true
        }
        """##,
        "KC508": ##"""
        func save(_ item: [String: Any]) throws {
            let status = SecItemAdd(item as CFDictionary, nil)
            guard status == errSecSuccess || status == errSecDuplicateItem else {
                throw StatusError(status)
            }
        }
        """##,
        "KC509": ##"""
        func update(_ data: Data, service: String, account: String) throws {
            let query: [String: Any] = [
                kSecClass as String: kSecClassGenericPassword,
                kSecAttrService as String: service,
                kSecAttrAccount as String: account,
            ]
            let status = SecItemUpdate(
                query as CFDictionary,
                [kSecValueData as String: data] as CFDictionary
            )
            guard status == errSecSuccess else {
                throw StatusError(status)
            }
        }
        """##,
        "KC510": ##"""
        func token(_ query: [String: Any]) -> Data? {
            var result: CFTypeRef?
            let status = SecItemCopyMatching(query as CFDictionary, &result)
            guard status == errSecSuccess else {
                fatalError("status \(status)")
            }
            return result as? Data
        }
        """##,
    ]
    static let goodKC5: [String: String] = [
        "KC501": ##"""
        func update(_ query: CFDictionary, _ values: CFDictionary) throws {
            let status = SecItemUpdate(query, values)
            guard status == errSecSuccess else { throw StatusError(status) }
        }
        """##,
        "KC502": ##"""
        func save(_ item: [String: Any], query: [String: Any], values: [String: Any]) throws {
            var status = SecItemAdd(item as CFDictionary, nil)
            if status == errSecDuplicateItem {
                status = SecItemUpdate(query as CFDictionary, values as CFDictionary)
            }
            guard status == errSecSuccess else { throw StatusError(status) }
        }
        """##,
        "KC503": ##"""
        func token(_ query: [String: Any]) throws -> Token? {
            var result: CFTypeRef?
            let status = SecItemCopyMatching(query as CFDictionary, &result)
            switch status {
            case errSecSuccess: break
            case errSecItemNotFound: return nil
            default: throw StatusError(status)
            }
            guard let data = result as? Data, let token = Token(data) else {
                // The data was read and does not decode: it is of no use to anybody.
                let deleted = SecItemDelete(query as CFDictionary)
                throw StatusError(deleted)
            }
            return token
        }
        """##,
        "KC504": ##"""
        func save(_ data: Data, service: String, account: String) -> OSStatus {
            let query: [String: Any] = [
                kSecClass as String: kSecClassGenericPassword,
                kSecAttrService as String: service,
                kSecAttrAccount as String: account,
            ]
            let status = SecItemUpdate(
                query as CFDictionary,
                [kSecValueData as String: data] as CFDictionary
            )
            guard status == errSecItemNotFound else { return status }
            var item = query
            item[kSecAttrAccessible as String] = kSecAttrAccessibleAfterFirstUnlock
            item[kSecValueData as String] = data
            return SecItemAdd(item as CFDictionary, nil)
        }
        """##,
        "KC505": ##"""
        func token(_ query: [String: Any]) throws -> Data? {
            var result: CFTypeRef?
            let status = SecItemCopyMatching(query as CFDictionary, &result)
            guard status != errSecItemNotFound else { return nil }
            guard status == errSecSuccess else { throw StatusError(status) }
            return result as? Data
        }
        """##,
        "KC506": ##"""
        func delete(_ query: [String: Any]) throws {
            let status = SecItemDelete(query as CFDictionary)
            guard status == errSecSuccess || status == errSecItemNotFound else {
                throw StatusError(status)
            }
        }
        """##,
        "KC507": ##"""
        func update(_ query: [String: Any], _ values: [String: Any]) throws {
            let status = SecItemUpdate(query as CFDictionary, values as CFDictionary)
            guard status == errSecSuccess else { throw StatusError(status) }
        }
        """##,
        "KC508": ##"""
        /// A marker always has the same value, so an old one is as good as a new one.
        func mark() throws {
            let item: [String: Any] = [
                kSecClass as String: kSecClassGenericPassword,
                kSecAttrService as String: "setup",
                kSecAttrAccount as String: "done",
                kSecAttrAccessible as String: kSecAttrAccessibleAfterFirstUnlock,
                kSecValueData as String: Data("1".utf8),
            ]
            let status = SecItemAdd(item as CFDictionary, nil)
            guard status == errSecSuccess || status == errSecDuplicateItem else {
                throw StatusError(status)
            }
        }
        """##,
        "KC509": ##"""
        func update(_ data: Data, service: String, account: String) throws {
            let query: [String: Any] = [
                kSecClass as String: kSecClassGenericPassword,
                kSecAttrService as String: service,
                kSecAttrAccount as String: account,
            ]
            let status = SecItemUpdate(
                query as CFDictionary,
                [kSecValueData as String: data] as CFDictionary
            )
            guard status == errSecSuccess else {
                throw StatusError(
                    status,
                    operation: "update",
                    service: service,
                    account: account
                )
            }
        }
        """##,
        "KC510": ##"""
        func token(_ query: [String: Any]) throws -> Data? {
            var result: CFTypeRef?
            let status = SecItemCopyMatching(query as CFDictionary, &result)
            guard status == errSecSuccess else { throw StatusError(status) }
            return result as? Data
        }
        """##,
    ]
}
