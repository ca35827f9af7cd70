import Foundation
import Security

/// Saves, reads and deletes secrets that stay on this device and open while it is unlocked.
struct SmallKeychain {
    struct Failure: Error {
        let operation, account: String
        let status: OSStatus
    }

    let service: String

    func save(_ secret: Data, account: String) throws {
        let query = item(account) as CFDictionary
        var status = SecItemUpdate(query, [kSecValueData as String: secret] as CFDictionary)
        if status == errSecItemNotFound {
            var new = item(account)
            new[kSecAttrAccessible as String] = kSecAttrAccessibleWhenUnlockedThisDeviceOnly
            new[kSecValueData as String] = secret
            status = SecItemAdd(new as CFDictionary, nil)
        }
        if status == errSecSuccess { return }
        throw Failure(operation: "save", account: account, status: status)
    }

    func read(account: String) throws -> Data? {
        var query = item(account)
        query[kSecReturnData as String] = true
        query[kSecMatchLimit as String] = kSecMatchLimitOne
        var result: CFTypeRef?
        let status = SecItemCopyMatching(query as CFDictionary, &result)
        if status == errSecSuccess { return result as? Data }
        if status == errSecItemNotFound { return nil }
        throw Failure(operation: "read", account: account, status: status)
    }

    func delete(account: String) throws {
        let status = SecItemDelete(item(account) as CFDictionary)
        if status == errSecSuccess || status == errSecItemNotFound { return }
        throw Failure(operation: "delete", account: account, status: status)
    }

    private func item(_ account: String) -> [String: Any] {
        [
            kSecClass as String: kSecClassGenericPassword, kSecAttrService as String: service,
            kSecAttrAccount as String: account, kSecUseDataProtectionKeychain as String: true,
        ]
    }
}
