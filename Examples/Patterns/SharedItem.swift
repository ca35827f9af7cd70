import Foundation
import Security

/// A token that the app and its widget share through a keychain access group.
///
/// Both targets have the group in `keychain-access-groups`. The entitlement holds
/// `$(AppIdentifierPrefix)com.example.shared`; code names the group with the team identifier.
struct SharedItem {
    /// The team identifier, a period, and the group of the entitlement.
    static let group = "TEAMID1234.com.example.shared"
    let account: String

    private var item: [String: Any] {
        [
            kSecClass as String: kSecClassGenericPassword,
            kSecAttrAccessGroup as String: Self.group,
            kSecAttrService as String: "com.example.shared.token",
            kSecAttrAccount as String: account,
            kSecUseDataProtectionKeychain as String: true,
        ]
    }

    /// Stores the token for both targets, of which the widget draws on a locked screen, too.
    func save(_ token: Data) throws {
        let values: [String: Any] = [
            kSecAttrAccessible as String: kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly,
            kSecValueData as String: token,
        ]
        var status = SecItemUpdate(item as CFDictionary, values as CFDictionary)
        if status == errSecItemNotFound {
            let new = item.merging(values) { $1 }
            status = SecItemAdd(new as CFDictionary, nil)
        }
        switch status {
        case errSecSuccess: return
        case errSecMissingEntitlement:
            throw KeychainError("use the group of", Self.group, status)
        default: throw KeychainError("save", account, status)
        }
    }

    func read() throws -> Data? {
        var query = item
        query[kSecReturnData as String] = true
        query[kSecMatchLimit as String] = kSecMatchLimitOne
        var result: CFTypeRef?
        let status = SecItemCopyMatching(query as CFDictionary, &result)
        switch status {
        case errSecSuccess: return result as? Data
        case errSecItemNotFound: return nil
        default: throw KeychainError("read", account, status)
        }
    }
}
