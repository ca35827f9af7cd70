import Foundation
import LocalAuthentication
import Security

/// Two items for one session: a refresh token for the background, and a secret behind biometry.
///
/// One item cannot do both. Nobody can look at the camera while a notification extension runs on a
/// locked device, and a token that opens without prompt is no protection for a payment.
struct DualItem {
    let account: String
    private let backgroundService = "com.example.app.background"
    private let foregroundService = "com.example.app.foreground"

    private func item(_ service: String) -> [String: Any] {
        [
            kSecClass as String: kSecClassGenericPassword,
            kSecAttrService as String: service,
            kSecAttrAccount as String: account,
            kSecUseDataProtectionKeychain as String: true,
        ]
    }

    /// Stores both halves after a sign-in.
    func save(refreshToken: Data, paymentKey: Data) throws {
        let values: [String: Any] = [
            kSecAttrAccessible as String: kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly,
            kSecValueData as String: refreshToken,
        ]
        try add(values, to: backgroundService)
        guard
            let control = SecAccessControlCreateWithFlags(
                nil,
                kSecAttrAccessibleWhenUnlockedThisDeviceOnly,
                [.biometryCurrentSet, .or, .devicePasscode],
                nil
            )
        else { throw KeychainError("protect", account, errSecParam) }
        let gated: [String: Any] = [
            kSecAttrAccessControl as String: control,
            kSecValueData as String: paymentKey,
        ]
        try add(gated, to: foregroundService)
    }

    /// Reads the token in any process of the app, with the device locked or not.
    func refreshToken() throws -> Data? { try read(backgroundService, context: nil) }

    /// Prompts for a face, a finger or the passcode, and returns the key.
    ///
    /// Call it in the foreground only.
    func paymentKey(reason: String) throws -> Data? {
        let context = LAContext()
        context.localizedReason = reason
        return try read(foregroundService, context: context)
    }

    private func add(_ values: [String: Any], to service: String) throws {
        // A sign-in starts from nothing: items of an earlier session go.
        let deletion = SecItemDelete(item(service) as CFDictionary)
        guard deletion == errSecSuccess || deletion == errSecItemNotFound else {
            throw KeychainError("delete", "\(service)/\(account)", deletion)
        }
        let new = item(service).merging(values) { $1 }
        // keychain-lint:disable:next KC504 -- the server has just given the values to the caller
        let status = SecItemAdd(new as CFDictionary, nil)
        guard status == errSecSuccess else {
            throw KeychainError("add", "\(service)/\(account)", status)
        }
    }

    private func read(_ service: String, context: LAContext?) throws -> Data? {
        var query = item(service)
        query[kSecUseAuthenticationContext as String] = context
        query[kSecReturnData as String] = true
        query[kSecMatchLimit as String] = kSecMatchLimitOne
        var result: CFTypeRef?
        let status = SecItemCopyMatching(query as CFDictionary, &result)
        switch status {
        case errSecSuccess: return result as? Data
        case errSecItemNotFound: return nil
        default: throw KeychainError("read", "\(service)/\(account)", status)
        }
    }
}
