import Foundation
import Security

/// A token that background work reads while the device is locked, from the first unlock on.
///
/// Notification extensions, widgets and background refresh run without anybody at the device. The
/// token has no access control, and it never leaves the device.
struct BackgroundToken {
    let service: String
    let account: String

    private var item: [String: Any] {
        [
            kSecClass as String: kSecClassGenericPassword,
            kSecAttrService as String: service,
            kSecAttrAccount as String: account,
            kSecUseDataProtectionKeychain as String: true,
        ]
    }

    /// Adds the token, or replaces its value and its accessibility.
    func save(_ token: Data) throws {
        let values: [String: Any] = [
            kSecAttrAccessible as String: kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly,
            kSecValueData as String: token,
        ]
        let new = item.merging(values) { $1 }
        var status = SecItemAdd(new as CFDictionary, nil)
        if status == errSecDuplicateItem {
            status = SecItemUpdate(item as CFDictionary, values as CFDictionary)
        }
        guard status == errSecSuccess else {
            throw KeychainError("save", "\(service)/\(account)", status)
        }
    }

    /// The three answers that background work has to tell apart.
    enum Answer: Equatable {
        case token(Data)
        /// The user has to sign in.
        case signedOut
        /// Nobody unlocked the device since it started. Schedule the work again.
        case tryLater
    }

    func read() throws -> Answer {
        var query = item
        query[kSecReturnData as String] = true
        query[kSecMatchLimit as String] = kSecMatchLimitOne
        var result: CFTypeRef?
        let status = SecItemCopyMatching(query as CFDictionary, &result)
        switch status {
        case errSecSuccess: return (result as? Data).map(Answer.token) ?? .signedOut
        case errSecItemNotFound: return .signedOut
        case errSecInteractionNotAllowed: return .tryLater
        default: throw KeychainError("read", "\(service)/\(account)", status)
        }
    }
}
