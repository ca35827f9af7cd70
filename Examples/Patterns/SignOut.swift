import Foundation
import Security

/// Deletes everything that a session stored, by name.
///
/// A delete has no limit: it removes every item that matches. Here that is the purpose, and the
/// function says so. It includes synchronizable items and works on a locked device.
struct SignOut {
    /// The services that the app stores passwords and tokens under.
    let services: [String]

    func deleteAllItems() throws {
        for service in services {
            let query: [String: Any] = [
                kSecClass as String: kSecClassGenericPassword,
                kSecAttrService as String: service,
                kSecAttrSynchronizable as String: kSecAttrSynchronizableAny,
                kSecUseDataProtectionKeychain as String: true,
            ]
            let status = SecItemDelete(query as CFDictionary)
            guard status == errSecSuccess || status == errSecItemNotFound else {
                throw KeychainError("delete", service, status)
            }
        }
    }
}
