import Foundation
import Security

/// Gives existing items another accessibility, and keeps a journal of the ones that are done.
///
/// Earlier versions stored tokens with the default, `WhenUnlocked`. Background work needs
/// `AfterFirstUnlock`. An update changes the class of an item in one step; the secret never leaves
/// the keychain. If the device locks in between, the journal knows where to go on.
struct AccessibilityUpgrade {
    let service: String

    private func item(_ account: String) -> [String: Any] {
        [
            kSecClass as String: kSecClassGenericPassword,
            kSecAttrService as String: service,
            kSecAttrAccount as String: account,
            kSecUseDataProtectionKeychain as String: true,
        ]
    }

    enum Outcome: Equatable {
        case finished
        /// The device locked. The accounts in the journal are done, the others wait.
        case tryLater
    }

    func run(_ accounts: [String], isProtectedDataAvailable: Bool) throws -> Outcome {
        guard isProtectedDataAvailable else { return .tryLater }
        var journal = try journal()
        for account in accounts where !journal.contains(account) {
            let value = [
                kSecAttrAccessible as String: kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly
            ]
            let status = SecItemUpdate(item(account) as CFDictionary, value as CFDictionary)
            switch status {
            case errSecSuccess, errSecItemNotFound:
                journal.append(account)
                try write(journal)
            case errSecInteractionNotAllowed: return .tryLater
            default: throw KeychainError("upgrade", account, status)
            }
        }
        return .finished
    }

    private static let journalAccount = "journal of the accessibility upgrade"

    /// The accounts that are done.
    func journal() throws -> [String] {
        var query = item(Self.journalAccount)
        query[kSecReturnData as String] = true
        query[kSecMatchLimit as String] = kSecMatchLimitOne
        var result: CFTypeRef?
        let status = SecItemCopyMatching(query as CFDictionary, &result)
        switch status {
        case errSecSuccess:
            guard let data = result as? Data else { return [] }
            return try JSONDecoder().decode([String].self, from: data)
        case errSecItemNotFound: return []
        default: throw KeychainError("read", Self.journalAccount, status)
        }
    }

    private func write(_ journal: [String]) throws {
        let query = item(Self.journalAccount)
        let values: [String: Any] = [
            kSecAttrAccessible as String: kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly,
            kSecValueData as String: try JSONEncoder().encode(journal),
        ]
        var status = SecItemUpdate(query as CFDictionary, values as CFDictionary)
        if status == errSecItemNotFound {
            let new = query.merging(values) { $1 }
            status = SecItemAdd(new as CFDictionary, nil)
        }
        guard status == errSecSuccess else {
            throw KeychainError("write", Self.journalAccount, status)
        }
    }
}
