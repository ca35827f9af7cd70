import Foundation
import Security

/// One secret under a service and an account, for code that runs while the device is unlocked.
///
/// Saving updates the item and adds it only if it does not exist. An update keeps the creation
/// date and every persistent reference. There is no moment without a value.
struct StoredSecret {
    let service: String
    let account: String

    /// The whole primary key, and nothing else: every call identifies the same item.
    private var item: [String: Any] {
        [
            kSecClass as String: kSecClassGenericPassword,
            kSecAttrService as String: service,
            kSecAttrAccount as String: account,
            kSecUseDataProtectionKeychain as String: true,
        ]
    }

    func save(_ secret: Data) throws {
        let values = [kSecValueData as String: secret] as CFDictionary
        var status = SecItemUpdate(item as CFDictionary, values)
        if status == errSecItemNotFound {
            var new = item
            new[kSecAttrAccessible as String] = kSecAttrAccessibleWhenUnlockedThisDeviceOnly
            new[kSecValueData as String] = secret
            status = SecItemAdd(new as CFDictionary, nil)
        }
        if status == errSecDuplicateItem {
            // Another process added the item between the two calls.
            status = SecItemUpdate(item as CFDictionary, values)
        }
        guard status == errSecSuccess else { throw failure("save", status) }
    }

    /// Returns the secret, or nil if there is none.
    func read() throws -> Data? {
        var query = item
        query[kSecReturnData as String] = true
        query[kSecMatchLimit as String] = kSecMatchLimitOne
        var result: CFTypeRef?
        let status = SecItemCopyMatching(query as CFDictionary, &result)
        switch status {
        case errSecSuccess: return result as? Data
        case errSecItemNotFound: return nil
        default: throw failure("read", status)
        }
    }

    func delete() throws {
        let status = SecItemDelete(item as CFDictionary)
        guard status == errSecSuccess || status == errSecItemNotFound else {
            throw failure("delete", status)
        }
    }

    private func failure(_ operation: String, _ status: OSStatus) -> KeychainError {
        KeychainError(operation, "\(service)/\(account)", status)
    }
}
