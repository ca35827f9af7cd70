import Foundation
import Security

/// Gives an existing item another access control, without a moment in which the secret could get
/// lost.
///
/// An update cannot change an access control, so the item has to be deleted and added again. A copy
/// in the journal bridges the gap. It has the same protection as the new item, except that nobody
/// is prompted for it. ``finish()`` runs at every launch and completes what a crash interrupted.
struct AccessControlChange {
    let service: String
    let account: String
    let flags: SecAccessControlCreateFlags
    private var journal: String { account + " (journal)" }

    /// Changes the access control of an item whose secret the caller has just read.
    func run(_ secret: Data) throws {
        var copy = item(journal)
        copy[kSecAttrAccessible as String] = kSecAttrAccessibleWhenUnlockedThisDeviceOnly
        copy[kSecValueData as String] = secret
        var status = SecItemAdd(copy as CFDictionary, nil)
        if status == errSecDuplicateItem {
            let values = [kSecValueData as String: secret] as CFDictionary
            status = SecItemUpdate(item(journal) as CFDictionary, values)
        }
        guard status == errSecSuccess else { throw KeychainError("write", journal, status) }
        try finish()
    }

    /// Completes a change that began; does nothing without one.
    func finish() throws {
        guard let secret = try read(journal) else { return }
        guard
            let control = SecAccessControlCreateWithFlags(
                nil,
                kSecAttrAccessibleWhenUnlockedThisDeviceOnly,
                flags,
                nil
            )
        else { throw KeychainError("protect", account, errSecParam) }
        try delete(account)
        var new = item(account)
        new[kSecAttrAccessControl as String] = control
        new[kSecValueData as String] = secret
        // keychain-lint:disable:next KC504 -- the journal has a copy until the new item exists
        let status = SecItemAdd(new as CFDictionary, nil)
        switch status {
        case errSecSuccess: try delete(journal)
        case errSecDuplicateItem: throw KeychainError("replace", account, status)
        default: throw KeychainError("add", account, status)
        }
    }

    private func item(_ account: String) -> [String: Any] {
        [
            kSecClass as String: kSecClassGenericPassword,
            kSecAttrService as String: service,
            kSecAttrAccount as String: account,
            kSecUseDataProtectionKeychain as String: true,
        ]
    }

    private func read(_ account: String) throws -> Data? {
        var query = item(account)
        query[kSecReturnData as String] = true
        query[kSecMatchLimit as String] = kSecMatchLimitOne
        var result: CFTypeRef?
        let status = SecItemCopyMatching(query as CFDictionary, &result)
        switch status {
        case errSecSuccess: return result as? Data
        case errSecItemNotFound: return nil
        default: throw KeychainError("read", account, status)
        }
    }

    private func delete(_ account: String) throws {
        let status = SecItemDelete(item(account) as CFDictionary)
        guard status == errSecSuccess || status == errSecItemNotFound else {
            throw KeychainError("delete", account, status)
        }
    }
}
