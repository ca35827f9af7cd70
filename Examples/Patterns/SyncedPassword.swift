import Foundation
import Security

/// A password that the user wants on all devices, through iCloud Keychain.
///
/// It cannot be bound to this device. Every query says that it means synchronizable items, because
/// a query without the attribute finds none of them. Use this for passwords that people know, not
/// for tokens of one device.
struct SyncedPassword {
    let server: String
    let account: String

    private var item: [String: Any] {
        [
            kSecClass as String: kSecClassInternetPassword,
            kSecAttrServer as String: server,
            kSecAttrProtocol as String: kSecAttrProtocolHTTPS,
            kSecAttrAccount as String: account,
            kSecAttrSynchronizable as String: true,
            kSecUseDataProtectionKeychain as String: true,
        ]
    }

    func save(_ password: Data) throws {
        let values: [String: Any] = [
            kSecAttrAccessible as String: kSecAttrAccessibleWhenUnlocked,
            kSecValueData as String: password,
        ]
        var status = SecItemUpdate(item as CFDictionary, values as CFDictionary)
        if status == errSecItemNotFound {
            let new = item.merging(values) { $1 }
            status = SecItemAdd(new as CFDictionary, nil)
        }
        guard status == errSecSuccess else { throw KeychainError("save", server, status) }
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
        default: throw KeychainError("read", server, status)
        }
    }

    /// Deletes the password here and, with the next synchronization, on the other devices.
    func deleteEverywhere() throws {
        let status = SecItemDelete(item as CFDictionary)
        guard status == errSecSuccess || status == errSecItemNotFound else {
            throw KeychainError("delete", server, status)
        }
    }
}
