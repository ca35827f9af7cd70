import Foundation
import LocalAuthentication
import Security

/// A secret behind Face ID or Touch ID, which another face or finger does not open.
///
/// The item needs a passcode on the device. It disappears with the passcode, and it closes for
/// good when somebody enrolls or removes a face or finger. Then the user signs in again, and
/// ``save(_:)`` replaces the item.
struct BiometricItem {
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

    /// Stores the secret for the faces or fingers that are enrolled now.
    func save(_ secret: Data) throws {
        var error: Unmanaged<CFError>?
        guard
            let control = SecAccessControlCreateWithFlags(
                nil,
                kSecAttrAccessibleWhenPasscodeSetThisDeviceOnly,
                .biometryCurrentSet,
                &error
            )
        else { throw KeychainError("protect", "\(service)/\(account)", errSecParam) }
        var new = item
        new[kSecAttrAccessControl as String] = control
        new[kSecValueData as String] = secret
        var status = SecItemAdd(new as CFDictionary, nil)
        if status == errSecDuplicateItem {
            // An update cannot change an access control, and the caller has the secret.
            let deletion = SecItemDelete(item as CFDictionary)
            guard deletion == errSecSuccess || deletion == errSecItemNotFound else {
                throw KeychainError("delete", "\(service)/\(account)", deletion)
            }
            // keychain-lint:disable:next KC504 -- the caller has the secret and can save again
            status = SecItemAdd(new as CFDictionary, nil)
        }
        guard status == errSecSuccess else {
            throw KeychainError("save", "\(service)/\(account)", status)
        }
    }

    enum Answer: Equatable {
        case secret(Data)
        /// The item is gone, or no longer opens for anybody who is enrolled.
        case signInNeeded
        /// The user canceled, or there is no user to prompt.
        case tryLater
    }

    /// Prompts the user with a reason, and returns the secret.
    func read(reason: String) throws -> Answer {
        let context = LAContext()
        context.localizedReason = reason
        var query = item
        query[kSecUseAuthenticationContext as String] = context
        query[kSecReturnData as String] = true
        query[kSecMatchLimit as String] = kSecMatchLimitOne
        var result: CFTypeRef?
        let status = SecItemCopyMatching(query as CFDictionary, &result)
        switch status {
        case errSecSuccess: return (result as? Data).map(Answer.secret) ?? .signInNeeded
        case errSecItemNotFound, errSecAuthFailed: return .signInNeeded
        case errSecUserCanceled, errSecInteractionNotAllowed: return .tryLater
        default: throw KeychainError("read", "\(service)/\(account)", status)
        }
    }
}
