import Foundation
import Security

// Code that three situations under pressure lead to. The tests show what it costs. Do not copy it.

/// "Just store it in UserDefaults for now": the migration that comes later.
package struct HastyMigration {
    private let defaults: UserDefaults

    package init(_ defaults: UserDefaults) { self.defaults = defaults }

    /// Deletes the old copy first, and does not look whether the new one exists.
    package func run() {
        guard let token = defaults.string(forKey: "authToken") else { return }
        // keychain-lint:disable:next KC601 -- the demonstration loses the token on a locked device
        defaults.removeObject(forKey: "authToken")
        let item: [String: Any] = [
            kSecClass as String: kSecClassGenericPassword,
            kSecAttrService as String: "api", kSecAttrAccount as String: "authToken",
            kSecAttrAccessible as String: kSecAttrAccessibleWhenUnlockedThisDeviceOnly,
            kSecUseDataProtectionKeychain as String: true,
            kSecValueData as String: Data(token.utf8),
        ]
        // keychain-lint:disable:next KC501 -- the demonstration ignores the refusal
        SecItemAdd(item as CFDictionary, nil)
    }
}

/// "Everyone uses this wrapper": its defaults decide where the secret goes.
package struct PopularWrapper {
    package init() {}

    /// The class travels in backups, and nobody who calls this chose it.
    package func set(_ secret: Data, forKey key: String) -> Bool {
        let item: [String: Any] = [
            kSecClass as String: kSecClassGenericPassword,
            kSecAttrService as String: "wrapper", kSecAttrAccount as String: key,
            kSecUseDataProtectionKeychain as String: true,
        ]
        let values: [String: Any] = [
            kSecAttrAccessible as String: kSecAttrAccessibleAfterFirstUnlock,
            kSecValueData as String: secret,
        ]
        var status = SecItemUpdate(item as CFDictionary, values as CFDictionary)
        if status == errSecItemNotFound {
            status = SecItemAdd(item.merging(values) { $1 } as CFDictionary, nil)
        }
        return status == errSecSuccess
    }

    package func get(_ key: String) -> Data? {
        let query: [String: Any] = [
            kSecClass as String: kSecClassGenericPassword,
            kSecAttrService as String: "wrapper", kSecAttrAccount as String: key,
            kSecUseDataProtectionKeychain as String: true,
            kSecReturnData as String: true,
            kSecMatchLimit as String: kSecMatchLimitOne,
        ]
        var result: CFTypeRef?
        let status = SecItemCopyMatching(query as CFDictionary, &result)
        // keychain-lint:disable:next KC505 -- the demonstration cannot tell locked from missing
        return status == errSecSuccess ? result as? Data : nil
    }
}
