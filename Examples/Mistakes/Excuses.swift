import Foundation
import LocalAuthentication
import Security

// Code that does what seven excuses say. The tests show what it loses. Do not copy it.

/// The excuse "UserDefaults is fine for tokens, it is a private app".
package struct TokenInDefaults {
    private let defaults: UserDefaults

    package init(_ defaults: UserDefaults) { self.defaults = defaults }

    package func save(_ token: String) {
        // keychain-lint:disable:next KC901 -- the demonstration finds the token in a backup
        defaults.set(token, forKey: "authToken")
    }
}

/// The excuse "I wrap it in a helper to simplify things".
///
/// The helper hides which attributes identify an item: it has one service for all, and a label.
package struct SecretBox {
    package init() {}

    package func save(_ secret: Data, named name: String) {
        let item: [String: Any] = [
            kSecClass as String: kSecClassGenericPassword,
            kSecAttrService as String: "box",
            kSecAttrLabel as String: name,
            kSecAttrAccessible as String: kSecAttrAccessibleWhenUnlockedThisDeviceOnly,
            kSecUseDataProtectionKeychain as String: true,
            kSecValueData as String: secret,
        ]
        // keychain-lint:disable:next KC101,KC501 -- the demonstration loses the second secret
        SecItemAdd(item as CFDictionary, nil)
    }

    package func read(named name: String) -> Data? {
        let query: [String: Any] = [
            kSecClass as String: kSecClassGenericPassword,
            kSecAttrService as String: "box",
            kSecAttrLabel as String: name,
            kSecUseDataProtectionKeychain as String: true,
            kSecReturnData as String: true,
            kSecMatchLimit as String: kSecMatchLimitOne,
        ]
        var result: CFTypeRef?
        // keychain-lint:disable:next KC505 -- the demonstration shows the swallowed status
        guard SecItemCopyMatching(query as CFDictionary, &result) == errSecSuccess else {
            return nil
        }
        return result as? Data
    }
}

/// The excuse "Delete and add is simpler than update".
package struct DeleteThenAdd {
    package init() {}

    package func save(_ secret: Data, account: String) -> OSStatus {
        let item: [String: Any] = [
            kSecClass as String: kSecClassGenericPassword,
            kSecAttrService as String: "api", kSecAttrAccount as String: account,
            kSecUseDataProtectionKeychain as String: true,
        ]
        // keychain-lint:disable:next KC501 -- the demonstration locks the device after this call
        SecItemDelete(item as CFDictionary)
        let values: [String: Any] = [
            kSecAttrAccessible as String: kSecAttrAccessibleWhenUnlockedThisDeviceOnly,
            kSecValueData as String: secret,
        ]
        // keychain-lint:disable:next KC504 -- the demonstration loses the secret here
        return SecItemAdd(item.merging(values) { $1 } as CFDictionary, nil)
    }
}

/// The excuse "WhenUnlocked is secure enough".
package struct UnlockedToken {
    package init() {}

    private var item: [String: Any] {
        [
            kSecClass as String: kSecClassGenericPassword,
            kSecAttrService as String: "api", kSecAttrAccount as String: "refresh token",
            kSecUseDataProtectionKeychain as String: true,
        ]
    }

    package func add(_ token: Data) -> OSStatus {
        var new = item
        new[kSecAttrAccessible as String] = kSecAttrAccessibleWhenUnlocked
        new[kSecValueData as String] = token
        return SecItemAdd(new as CFDictionary, nil)
    }

    package func status() -> OSStatus {
        var query = item
        query[kSecReturnData as String] = true
        query[kSecMatchLimit as String] = kSecMatchLimitOne
        var result: CFTypeRef?
        return SecItemCopyMatching(query as CFDictionary, &result)
    }

    /// "-25308 means that the token is damaged": deletes it, and lets the user sign in again.
    package func readOrReset() -> Data? {
        var query = item
        query[kSecReturnData as String] = true
        query[kSecMatchLimit as String] = kSecMatchLimitOne
        var result: CFTypeRef?
        let status = SecItemCopyMatching(query as CFDictionary, &result)
        if status == errSecSuccess { return result as? Data }
        // keychain-lint:disable:next KC503 -- the demonstration deletes a sound token
        SecItemDelete(item as CFDictionary)
        return nil
    }
}

/// The excuse "Access groups are too complicated, I use App Groups for everything".
package struct AppGroupToken {
    package init() {}

    /// An app group has no team prefix, and needs an entitlement of its own.
    package func add(_ token: Data) -> OSStatus {
        let item: [String: Any] = [
            kSecClass as String: kSecClassGenericPassword,
            // keychain-lint:disable:next KC708 -- the demonstration mixes both kinds of group
            kSecAttrAccessGroup as String: "TEAMID1234.group.com.example.shared",
            kSecAttrService as String: "api", kSecAttrAccount as String: "token",
            kSecAttrAccessible as String: kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly,
            kSecUseDataProtectionKeychain as String: true,
            kSecValueData as String: token,
        ]
        return SecItemAdd(item as CFDictionary, nil)
    }
}
