import Foundation
import Security

/// A session that belongs to one device, and the state of the app that follows from it.
///
/// ThisDeviceOnly items do not arrive on a new phone. That is a normal start for the app: it shows
/// the sign-in, with the name of the user if some other place knows it.
struct DeviceSession {
    enum State: Equatable {
        case signedIn(Data)
        /// A new phone, a restored one, or a user who never signed in here.
        case signInNeeded
        /// The device is locked. Show nothing yet, and delete nothing.
        case unknownUntilUnlock
    }

    let account: String

    private var item: [String: Any] {
        [
            kSecClass as String: kSecClassGenericPassword,
            kSecAttrService as String: "com.example.app.session",
            kSecAttrAccount as String: account,
            kSecUseDataProtectionKeychain as String: true,
        ]
    }

    func begin(with token: Data) throws {
        var new = item
        new[kSecAttrAccessible as String] = kSecAttrAccessibleWhenUnlockedThisDeviceOnly
        new[kSecValueData as String] = token
        var status = SecItemAdd(new as CFDictionary, nil)
        if status == errSecDuplicateItem {
            let values = [kSecValueData as String: token] as CFDictionary
            status = SecItemUpdate(item as CFDictionary, values)
        }
        guard status == errSecSuccess else { throw KeychainError("save", account, status) }
    }

    func state() throws -> State {
        var query = item
        query[kSecReturnData as String] = true
        query[kSecMatchLimit as String] = kSecMatchLimitOne
        var result: CFTypeRef?
        let status = SecItemCopyMatching(query as CFDictionary, &result)
        switch status {
        case errSecSuccess: return (result as? Data).map(State.signedIn) ?? .signInNeeded
        case errSecItemNotFound: return .signInNeeded
        case errSecInteractionNotAllowed: return .unknownUntilUnlock
        default: throw KeychainError("read", account, status)
        }
    }
}
