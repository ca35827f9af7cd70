import Foundation
import LocalAuthentication
import Security

/// A secret that needs a password of its own, besides an unlocked device with a passcode.
///
/// The system adds the password to the key of the item. Without it nobody opens the item, not even
/// with the passcode.
struct VaultItem {
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

    /// Creates the vault; a second one of the same name is an error, not an overwrite.
    func create(_ secret: Data, password: Data) throws {
        guard
            let control = SecAccessControlCreateWithFlags(
                nil,
                kSecAttrAccessibleWhenPasscodeSetThisDeviceOnly,
                .applicationPassword,
                nil
            )
        else { throw failure("protect", errSecParam) }
        let context = LAContext()
        guard context.setCredential(password, type: .applicationPassword) else {
            throw failure("protect", errSecParam)
        }
        var new = item
        new[kSecAttrAccessControl as String] = control
        new[kSecUseAuthenticationContext as String] = context
        new[kSecValueData as String] = secret
        let status = SecItemAdd(new as CFDictionary, nil)
        switch status {
        case errSecSuccess: return
        case errSecDuplicateItem: throw failure("create a second", status)
        default: throw failure("create", status)
        }
    }

    /// Returns the secret, or nil if there is no vault; a wrong password is an error.
    func open(password: Data) throws -> Data? {
        let context = LAContext()
        guard context.setCredential(password, type: .applicationPassword) else {
            throw failure("open", errSecParam)
        }
        var query = item
        query[kSecUseAuthenticationContext as String] = context
        query[kSecReturnData as String] = true
        query[kSecMatchLimit as String] = kSecMatchLimitOne
        var result: CFTypeRef?
        let status = SecItemCopyMatching(query as CFDictionary, &result)
        switch status {
        case errSecSuccess: return result as? Data
        case errSecItemNotFound: return nil
        default: throw failure("open", status)
        }
    }

    private func failure(_ operation: String, _ status: OSStatus) -> KeychainError {
        KeychainError(operation, "\(service)/\(account)", status)
    }
}
