import Foundation
import LocalAuthentication
import Security

/// A secret that destroys itself when the user removes the passcode.
///
/// On a device without a passcode it cannot be stored. The app then offers to work without it.
struct PasscodeBoundItem {
    let service: String
    let account: String

    enum Outcome: Equatable {
        case stored
        /// The device has no passcode, so this secret has no place here.
        case passcodeNeeded
    }

    private var item: [String: Any] {
        [
            kSecClass as String: kSecClassGenericPassword,
            kSecAttrService as String: service,
            kSecAttrAccount as String: account,
            kSecUseDataProtectionKeychain as String: true,
        ]
    }

    func save(_ secret: Data) throws -> Outcome {
        let values: [String: Any] = [
            kSecAttrAccessible as String: kSecAttrAccessibleWhenPasscodeSetThisDeviceOnly,
            kSecValueData as String: secret,
        ]
        var status = SecItemUpdate(item as CFDictionary, values as CFDictionary)
        if status == errSecItemNotFound {
            let new = item.merging(values) { $1 }
            status = SecItemAdd(new as CFDictionary, nil)
        }
        if status == errSecSuccess { return .stored }
        // The status alone does not tell: a locked device refuses the item, too.
        guard Self.isPasscodeSet else { return .passcodeNeeded }
        throw KeychainError("save", "\(service)/\(account)", status)
    }

    private static var isPasscodeSet: Bool {
        var error: NSError?
        let isPossible = LAContext().canEvaluatePolicy(.deviceOwnerAuthentication, error: &error)
        return isPossible || error?.code != LAError.passcodeNotSet.rawValue
    }

    /// Returns the secret; nil means that the user has to sign in, for example without a passcode.
    func read() throws -> Data? {
        var query = item
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
