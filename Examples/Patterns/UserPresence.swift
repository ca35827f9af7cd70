import Foundation
import LocalAuthentication
import Security

/// A bank's password, which opens only for somebody who is there: face, finger or passcode.
///
/// `userPresence` leaves the choice to the system. It works on devices without biometry, and after
/// an enrolment changed.
struct BankPassword {
    let server: String
    let account: String

    private var item: [String: Any] {
        [
            kSecClass as String: kSecClassInternetPassword,
            kSecAttrServer as String: server,
            kSecAttrProtocol as String: kSecAttrProtocolHTTPS,
            kSecAttrAccount as String: account,
            kSecUseDataProtectionKeychain as String: true,
        ]
    }

    func save(_ password: Data) throws {
        guard
            let control = SecAccessControlCreateWithFlags(
                nil,
                kSecAttrAccessibleWhenUnlockedThisDeviceOnly,
                // keychain-lint:disable:next KC309 -- the passcode has to open this item, too
                .userPresence,
                nil
            )
        else { throw KeychainError("protect", server, errSecParam) }
        var new = item
        new[kSecAttrAccessControl as String] = control
        new[kSecValueData as String] = password
        var status = SecItemAdd(new as CFDictionary, nil)
        if status == errSecDuplicateItem {
            // The access control stays; the user proves presence once more.
            let values = [kSecValueData as String: password] as CFDictionary
            status = SecItemUpdate(item as CFDictionary, values)
        }
        guard status == errSecSuccess else { throw KeychainError("save", server, status) }
    }

    /// Returns the password; within ten seconds after an unlock, the system does not prompt again.
    func read(reason: String) throws -> Data? {
        let context = LAContext()
        context.localizedReason = reason
        context.touchIDAuthenticationAllowableReuseDuration = 10
        var query = item
        query[kSecUseAuthenticationContext as String] = context
        query[kSecReturnData as String] = true
        query[kSecMatchLimit as String] = kSecMatchLimitOne
        var result: CFTypeRef?
        let status = SecItemCopyMatching(query as CFDictionary, &result)
        switch status {
        case errSecSuccess: return result as? Data
        case errSecItemNotFound: return nil
        default: throw KeychainError("read", server, status)
        }
    }
}
