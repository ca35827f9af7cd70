// ★ Made from Fixtures by generate.py: examples of the rules of KC8.

extension Examples {
    static let badKC8: [String: String] = [
        "KC801": ##"""
        func read(service: String, account: String) -> OSStatus {
            let query: [String: Any] = [
                kSecClass as String: kSecClassGenericPassword,
                kSecAttrService as String: service,
                kSecAttrAccount as String: account,
                kSecMatchLimit as String: kSecMatchLimitOne,
            ]
            return SecItemCopyMatching(query as CFDictionary, nil)
        }
        """##,
        "KC802": ##"""
        #if os(macOS)
            func save(_ data: Data, service: String, account: String, control: SecAccessControl)
                -> OSStatus
            {
                let item: [String: Any] = [
                    kSecClass as String: kSecClassGenericPassword,
                    kSecAttrService as String: service,
                    kSecAttrAccount as String: account,
                    kSecAttrAccessControl as String: control,
                    kSecValueData as String: data,
                ]
                return SecItemAdd(item as CFDictionary, nil)
            }
        #endif
        """##,
        "KC803": ##"""
        import Security

        func unlock(_ keychain: SecKeychain) -> OSStatus {
            SecKeychainUnlock(keychain, 0, nil, false)
        }
        """##,
        "KC804": ##"""
        func save(_ data: Data) -> OSStatus {
            let item: [String: Any] = [
                kSecClass as String: kSecClassGenericPassword,
                kSecAttrService as String: "session",
                kSecAttrAccount as String: "token",
                kSecAttrAccessible as String: kSecAttrAccessibleAfterFirstUnlock,
                kSecUseDataProtectionKeychain as String: true,
                kSecValueData as String: data,
            ]
            return SecItemAdd(item as CFDictionary, nil)
        }
        """##,
        "KC805": ##"""
        func save(_ certificate: SecCertificate, _ key: SecKey) -> [OSStatus] {
            let first: [CFString: Any] = [
                kSecClass: kSecClassCertificate, kSecValueRef: certificate,
                kSecUseDataProtectionKeychain: true,
            ]
            let second: [CFString: Any] = [
                kSecClass: kSecClassKey, kSecValueRef: key,
                kSecAttrAccessible: kSecAttrAccessibleWhenUnlockedThisDeviceOnly,
            ]
            return [
                SecItemAdd(first as CFDictionary, nil),
                SecItemAdd(second as CFDictionary, nil),
            ]
        }
        """##,
    ]
    static let goodKC8: [String: String] = [
        "KC801": ##"""
        func read(service: String, account: String) -> OSStatus {
            let query: [String: Any] = [
                kSecClass as String: kSecClassGenericPassword,
                kSecAttrService as String: service,
                kSecAttrAccount as String: account,
                kSecUseDataProtectionKeychain as String: true,
                kSecMatchLimit as String: kSecMatchLimitOne,
            ]
            return SecItemCopyMatching(query as CFDictionary, nil)
        }
        """##,
        "KC802": ##"""
        #if os(macOS)
            func save(_ data: Data, service: String, account: String, control: SecAccessControl)
                -> OSStatus
            {
                let item: [String: Any] = [
                    kSecClass as String: kSecClassGenericPassword,
                    kSecAttrService as String: service,
                    kSecAttrAccount as String: account,
                    kSecAttrAccessControl as String: control,
                    kSecUseDataProtectionKeychain as String: true,
                    kSecValueData as String: data,
                ]
                return SecItemAdd(item as CFDictionary, nil)
            }
        #endif
        """##,
        "KC803": ##"""
        import Security

        func message(_ status: OSStatus) -> String? {
            SecCopyErrorMessageString(status, nil) as String?
        }
        """##,
        "KC804": ##"""
        func save(_ data: Data) -> OSStatus {
            let item: [String: Any] = [
                kSecClass as String: kSecClassGenericPassword,
                kSecAttrService as String: "session",
                kSecAttrAccount as String: "token",
                kSecAttrAccessible as String: kSecAttrAccessibleAfterFirstUnlock,
                kSecValueData as String: data,
            ]
            return SecItemAdd(item as CFDictionary, nil)
        }
        """##,
        "KC805": ##"""
        func save(_ certificate: SecCertificate, _ key: SecKey) -> [OSStatus] {
            let first: [CFString: Any] = [
                kSecClass: kSecClassCertificate, kSecValueRef: certificate,
                kSecUseDataProtectionKeychain: true,
            ]
            let second: [CFString: Any] = [
                kSecClass: kSecClassKey, kSecValueRef: key, kSecUseDataProtectionKeychain: true,
                kSecAttrAccessible: kSecAttrAccessibleWhenUnlockedThisDeviceOnly,
            ]
            return [
                SecItemAdd(first as CFDictionary, nil), SecItemAdd(second as CFDictionary, nil),
            ]
        }
        """##,
    ]
}
