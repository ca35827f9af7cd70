import Foundation
import Security

/// The failure of a keychain call.
struct TokenError: Error {
    let status: OSStatus
}

/// What the migration needs of a keychain, so that a test can give it another one.
protocol TokenStoring: Sendable {
    func save(_ data: Data, account: String) throws
    func read(account: String) throws -> Data?
}

/// Tokens as generic passwords that work in the background can read.
struct TokenStore: TokenStoring {
    private let service = "com.example.mail"

    func save(_ data: Data, account: String) throws {
        let item = identity(account)
        let change: [String: Any] = [
            kSecValueData as String: data,
            kSecAttrAccessible as String: kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly,
        ]
        var status = SecItemUpdate(item as CFDictionary, change as CFDictionary)
        if status == errSecItemNotFound {
            status = SecItemAdd(item.merging(change) { $1 } as CFDictionary, nil)
        }
        guard status == errSecSuccess else { throw TokenError(status: status) }
    }

    func read(account: String) throws -> Data? {
        var query = identity(account)
        query[kSecReturnData as String] = true
        query[kSecMatchLimit as String] = kSecMatchLimitOne
        var result: CFTypeRef?
        let status = SecItemCopyMatching(query as CFDictionary, &result)
        if status == errSecItemNotFound { return nil }
        guard status == errSecSuccess, let data = result as? Data else {
            throw TokenError(status: status)
        }
        return data
    }

    /// Deletes every item of the app, and returns whether none is left.
    func deleteAll() -> Bool {
        let classes = [
            kSecClassGenericPassword, kSecClassInternetPassword, kSecClassCertificate,
            kSecClassKey, kSecClassIdentity,
        ]
        let statuses = classes.map { itemClass in
            let query: [String: Any] = [
                kSecClass as String: itemClass,
                kSecAttrSynchronizable as String: kSecAttrSynchronizableAny,
                kSecUseDataProtectionKeychain as String: true,
            ]
            return SecItemDelete(query as CFDictionary)
        }
        return statuses.allSatisfy { $0 == errSecSuccess || $0 == errSecItemNotFound }
    }

    private func identity(_ account: String) -> [String: Any] {
        [
            kSecClass as String: kSecClassGenericPassword,
            kSecAttrService as String: service,
            kSecAttrAccount as String: account,
            kSecUseDataProtectionKeychain as String: true,
        ]
    }
}

/// A store in memory, for tests of the migration.
///
/// `@unchecked Sendable` is sound because the values are reached under the lock alone.
final class MemoryTokenStore: TokenStoring, @unchecked Sendable {
    private let lock = NSLock()
    private var values: [String: Data] = [:]

    func save(_ data: Data, account: String) { lock.withLock { values[account] = data } }
    func read(account: String) -> Data? { lock.withLock { values[account] } }
}
