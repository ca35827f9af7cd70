import Foundation
import Security

/// A secret in the data protection keychain, on the Mac as on the phone.
///
/// Without `kSecUseDataProtectionKeychain` a Mac app reaches the old keychain file. That file knows
/// neither accessibility nor access groups. Every dictionary of every call needs the flag, so it is
/// part of the one place that names the item. Mac Catalyst and iOS ignore it.
struct MacItem {
    let service: String
    let account: String

    private var item: [String: Any] {
        [
            kSecUseDataProtectionKeychain as String: true,
            kSecClass as String: kSecClassGenericPassword,
            kSecAttrService as String: service,
            kSecAttrAccount as String: account,
        ]
    }

    func save(_ secret: Data) throws {
        let values: [String: Any] = [
            kSecAttrAccessible as String: kSecAttrAccessibleWhenUnlockedThisDeviceOnly,
            kSecValueData as String: secret,
        ]
        var status = SecItemUpdate(item as CFDictionary, values as CFDictionary)
        if status == errSecItemNotFound {
            let new = item.merging(values) { $1 }
            status = SecItemAdd(new as CFDictionary, nil)
        }
        guard status == errSecSuccess else {
            throw KeychainError("save", "\(service)/\(account)", status)
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
        default: throw KeychainError("read", "\(service)/\(account)", status)
        }
    }

    func delete() throws {
        let status = SecItemDelete(item as CFDictionary)
        guard status == errSecSuccess || status == errSecItemNotFound else {
            throw KeychainError("delete", "\(service)/\(account)", status)
        }
    }
}
