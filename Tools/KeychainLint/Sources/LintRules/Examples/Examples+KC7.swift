// ★ Made from Fixtures by generate.py: examples of the rules of KC7.

extension Examples {
    static let badKC7: [String: String] = [
        "KC701": ##"""
        private let group = "org.example.shared"

        func read(service: String, account: String) -> OSStatus {
            let query: [String: Any] = [
                kSecClass as String: kSecClassGenericPassword,
                kSecAttrService as String: service,
                kSecAttrAccount as String: account,
                kSecAttrAccessGroup as String: group,
                kSecMatchLimit as String: kSecMatchLimitOne,
            ]
            return SecItemCopyMatching(query as CFDictionary, nil)
        }
        """##,
        "KC702": ##"""
        <!-- App.entitlements -->
        <plist version="1.0"><dict>
        <key>keychain-access-groups</key>
        <array>
        <string>$(AppIdentifierPrefix)org.example.app</string>
        </array>
        </dict></plist>

        // App.swift
        func save(_ data: Data) -> OSStatus {
            let item: [String: Any] = [
                kSecClass as String: kSecClassGenericPassword,
                kSecAttrService as String: "session",
                kSecAttrAccount as String: "token",
                kSecAttrAccessible as String: kSecAttrAccessibleAfterFirstUnlock,
                kSecAttrAccessGroup as String: "A1B2C3D4E5.org.example.shared",
                kSecValueData as String: data,
            ]
            return SecItemAdd(item as CFDictionary, nil)
        }
        """##,
        "KC703": ##"""
        // Widget/Store.swift
        func save(_ data: Data) -> OSStatus {
            let item: [String: Any] = [
                kSecClass as String: kSecClassGenericPassword,
                kSecAttrService as String: "session",
                kSecAttrAccount as String: "token",
                kSecAttrAccessible as String: kSecAttrAccessibleAfterFirstUnlock,
                kSecAttrAccessGroup as String: "A1B2C3D4E5.org.example.shared",
                kSecValueData as String: data,
            ]
            return SecItemAdd(item as CFDictionary, nil)
        }

        <!-- Widget/Widget.entitlements -->
        <plist version="1.0"><dict>
        <key>keychain-access-groups</key>
        <array>
        <string>$(AppIdentifierPrefix)org.example.widget</string>
        </array>
        </dict></plist>
        """##,
        "KC704": ##"""
        func save(_ data: Data, service: String, account: String) -> OSStatus {
            let item: [String: Any] = [
                kSecClass as String: kSecClassGenericPassword,
                kSecAttrService as String: service,
                kSecAttrAccount as String: account,
                kSecAttrSynchronizable as String: true,
                kSecAttrAccessible as String: kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly,
                kSecValueData as String: data,
            ]
            return SecItemAdd(item as CFDictionary, nil)
        }
        """##,
        "KC705": ##"""
        func save(_ data: Data) -> OSStatus {
            let item: [String: Any] = [
                kSecClass as String: kSecClassGenericPassword,
                kSecAttrService as String: "session",
                kSecAttrAccount as String: "refresh-token",
                kSecAttrSynchronizable as String: true,
                kSecAttrAccessible as String: kSecAttrAccessibleAfterFirstUnlock,
                kSecValueData as String: data,
            ]
            return SecItemAdd(item as CFDictionary, nil)
        }
        """##,
        "KC706": ##"""
        func reference(service: String, account: String) -> (OSStatus, Data?) {
            let query: [String: Any] = [
                kSecClass as String: kSecClassGenericPassword,
                kSecAttrService as String: service,
                kSecAttrAccount as String: account,
                kSecAttrSynchronizable as String: true,
                kSecReturnPersistentRef as String: true,
            ]
            var result: CFTypeRef?
            let status = SecItemCopyMatching(query as CFDictionary, &result)
            return (status, result as? Data)
        }
        """##,
        "KC707": ##"""
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
        "KC708": ##"""
        func read(service: String, account: String) -> OSStatus {
            let query: [String: Any] = [
                kSecClass as String: kSecClassGenericPassword,
                kSecAttrService as String: service,
                kSecAttrAccount as String: account,
                kSecAttrAccessGroup as String: "A1B2C3D4E5.group.org.example",
                kSecMatchLimit as String: kSecMatchLimitOne,
            ]
            return SecItemCopyMatching(query as CFDictionary, nil)
        }
        """##,
        "KC709": ##"""
        func read(service: String, account: String) -> OSStatus {
            let query: [String: Any] = [
                kSecClass as String: kSecClassGenericPassword,
                kSecAttrService as String: service,
                kSecAttrAccount as String: account,
                kSecAttrAccessGroup as String: "$(AppIdentifierPrefix)org.example.shared",
                kSecMatchLimit as String: kSecMatchLimitOne,
            ]
            return SecItemCopyMatching(query as CFDictionary, nil)
        }
        """##,
        "KC710": ##"""
        let service = "notes"

        func save(_ data: Data) -> OSStatus {
            let item: [String: Any] = [
                kSecClass as String: kSecClassGenericPassword,
                kSecAttrService as String: service,
                kSecAttrAccount as String: "contents",
                kSecAttrSynchronizable as String: true,
                kSecAttrAccessible as String: kSecAttrAccessibleAfterFirstUnlock,
                kSecValueData as String: data,
            ]
            return SecItemAdd(item as CFDictionary, nil)
        }

        func read() -> (OSStatus, Data?) {
            let query: [String: Any] = [
                kSecClass as String: kSecClassGenericPassword,
                kSecAttrService as String: service,
                kSecAttrAccount as String: "contents",
                kSecReturnData as String: true,
            ]
            var result: CFTypeRef?
            let status = SecItemCopyMatching(query as CFDictionary, &result)
            return (status, result as? Data)
        }
        """##,
    ]
    static let goodKC7: [String: String] = [
        "KC701": ##"""
        func read(service: String, account: String, group: String) -> [OSStatus] {
            var query: [String: Any] = [
                kSecClass as String: kSecClassGenericPassword,
                kSecAttrService as String: service,
                kSecAttrAccount as String: account,
                kSecMatchLimit as String: kSecMatchLimitOne,
            ]
            query[kSecAttrAccessGroup as String] = "A1B2C3D4E5.org.example.shared"
            let first = SecItemCopyMatching(query as CFDictionary, nil)
            query[kSecAttrAccessGroup as String] = "group.org.example"
            let second = SecItemCopyMatching(query as CFDictionary, nil)
            query[kSecAttrAccessGroup as String] = group
            return [first, second, SecItemCopyMatching(query as CFDictionary, nil)]
        }
        """##,
        "KC702": ##"""
        <plist version="1.0"><dict>
        <key>keychain-access-groups</key>
        <array>
        <string>$(AppIdentifierPrefix)org.example.shared</string>
        </array>
        </dict></plist>
        """##,
        "KC703": ##"""
        <plist version="1.0"><dict>
        <key>keychain-access-groups</key>
        <array>
        <string>$(AppIdentifierPrefix)org.example.shared</string>
        </array>
        </dict></plist>
        """##,
        "KC704": ##"""
        func save(_ data: Data, service: String, account: String, syncs: Bool) -> OSStatus {
            let item: [String: Any] = [
                kSecClass as String: kSecClassGenericPassword,
                kSecAttrService as String: service,
                kSecAttrAccount as String: account,
                kSecAttrSynchronizable as String: syncs,
                kSecAttrAccessible as String: syncs
                    ? kSecAttrAccessibleAfterFirstUnlock
                    : kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly,
                kSecValueData as String: data,
            ]
            return SecItemAdd(item as CFDictionary, nil)
        }
        """##,
        "KC705": ##"""
        func save(_ data: Data) -> OSStatus {
            let item: [String: Any] = [
                kSecClass as String: kSecClassGenericPassword,
                kSecAttrService as String: "notes",
                kSecAttrAccount as String: "contents",
                kSecAttrSynchronizable as String: true,
                kSecAttrAccessible as String: kSecAttrAccessibleAfterFirstUnlock,
                kSecValueData as String: data,
            ]
            return SecItemAdd(item as CFDictionary, nil)
        }
        """##,
        "KC706": ##"""
        func reference(service: String, account: String) -> (OSStatus, Data?) {
            let query: [String: Any] = [
                kSecClass as String: kSecClassGenericPassword,
                kSecAttrService as String: service,
                kSecAttrAccount as String: account,
                kSecReturnPersistentRef as String: true,
            ]
            var result: CFTypeRef?
            let status = SecItemCopyMatching(query as CFDictionary, &result)
            return (status, result as? Data)
        }
        """##,
        "KC707": ##"""
        func save(_ data: Data) -> OSStatus {
            let item: [String: Any] = [
                kSecClass as String: kSecClassGenericPassword,
                kSecAttrService as String: "session",
                kSecAttrAccount as String: "token",
                kSecAttrAccessible as String: kSecAttrAccessibleAfterFirstUnlock,
                kSecAttrAccessGroup as String: "A1B2C3D4E5.org.example.app",
                kSecValueData as String: data,
            ]
            return SecItemAdd(item as CFDictionary, nil)
        }
        """##,
        "KC708": ##"""
        func read(service: String, account: String) -> OSStatus {
            let query: [String: Any] = [
                kSecClass as String: kSecClassGenericPassword,
                kSecAttrService as String: service,
                kSecAttrAccount as String: account,
                kSecAttrAccessGroup as String: "group.org.example",
                kSecMatchLimit as String: kSecMatchLimitOne,
            ]
            return SecItemCopyMatching(query as CFDictionary, nil)
        }
        """##,
        "KC709": ##"""
        let entitlements = """
            <key>keychain-access-groups</key>
            <array><string>$(AppIdentifierPrefix)org.example.shared</string></array>
            """
        """##,
        "KC710": ##"""
        let service = "notes"

        func save(_ data: Data) -> OSStatus {
            let item: [String: Any] = [
                kSecClass as String: kSecClassGenericPassword,
                kSecAttrService as String: service,
                kSecAttrAccount as String: "contents",
                kSecAttrSynchronizable as String: true,
                kSecAttrAccessible as String: kSecAttrAccessibleAfterFirstUnlock,
                kSecValueData as String: data,
            ]
            return SecItemAdd(item as CFDictionary, nil)
        }

        func read() -> (OSStatus, Data?) {
            let query: [String: Any] = [
                kSecClass as String: kSecClassGenericPassword,
                kSecAttrService as String: service,
                kSecAttrAccount as String: "contents",
                kSecAttrSynchronizable as String: kSecAttrSynchronizableAny,
                kSecReturnData as String: true,
            ]
            var result: CFTypeRef?
            let status = SecItemCopyMatching(query as CFDictionary, &result)
            return (status, result as? Data)
        }
        """##,
    ]
}
