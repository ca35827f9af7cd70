import Foundation
import Security

/// What a service has in the keychain, without any secret.
///
/// A list of attributes decrypts no value. It also shows where an item went that a query does not
/// find: another account, another group, or iCloud Keychain.
struct ItemList {
    struct Entry: Equatable {
        let account: String
        let group: String
        let accessible: String
        let isSynchronizable: Bool
    }

    let service: String

    func entries() throws -> [Entry] {
        let query: [String: Any] = [
            kSecClass as String: kSecClassGenericPassword,
            kSecAttrService as String: service,
            kSecAttrSynchronizable as String: kSecAttrSynchronizableAny,
            kSecReturnAttributes as String: true,
            kSecMatchLimit as String: kSecMatchLimitAll,
            kSecUseDataProtectionKeychain as String: true,
        ]
        var result: CFTypeRef?
        let status = SecItemCopyMatching(query as CFDictionary, &result)
        switch status {
        case errSecSuccess: return (result as? [[String: Any]] ?? []).map(Self.entry)
        case errSecItemNotFound: return []
        default: throw KeychainError("list", service, status)
        }
    }

    private static func entry(_ attributes: [String: Any]) -> Entry {
        Entry(
            account: attributes[kSecAttrAccount as String] as? String ?? "",
            group: attributes[kSecAttrAccessGroup as String] as? String ?? "",
            accessible: attributes[kSecAttrAccessible as String] as? String ?? "",
            isSynchronizable: attributes[kSecAttrSynchronizable as String] as? Bool ?? false
        )
    }
}
