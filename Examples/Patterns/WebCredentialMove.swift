import Foundation
import Security

/// Turns the generic passwords of a web site into internet passwords, one account at a time.
///
/// Each account is read, written, read back and only then deleted under its old name. A crash in
/// between leaves both items, and the next run continues. Run it while the device is unlocked.
struct WebCredentialMove {
    let server: String

    /// Moves all accounts, and returns how many moved.
    func run() throws -> Int {
        let accounts = try oldAccounts()
        for account in accounts {
            guard let password = try read(old(account)) else { continue }
            let new = WebCredential(server: server, account: account)
            try new.save(password)
            guard try new.read() == password else {
                throw KeychainError("verify", account, errSecDecode)
            }
            let status = SecItemDelete(old(account) as CFDictionary)
            guard status == errSecSuccess || status == errSecItemNotFound else {
                throw KeychainError("delete", account, status)
            }
        }
        return accounts.count
    }

    private func old(_ account: String) -> [String: Any] {
        [
            kSecClass as String: kSecClassGenericPassword,
            kSecAttrService as String: server,
            kSecAttrAccount as String: account,
            kSecUseDataProtectionKeychain as String: true,
        ]
    }

    private func oldAccounts() throws -> [String] {
        let query: [String: Any] = [
            kSecClass as String: kSecClassGenericPassword,
            kSecAttrService as String: server,
            kSecReturnAttributes as String: true,
            kSecMatchLimit as String: kSecMatchLimitAll,
            kSecUseDataProtectionKeychain as String: true,
        ]
        var result: CFTypeRef?
        let status = SecItemCopyMatching(query as CFDictionary, &result)
        switch status {
        case errSecSuccess:
            let items = result as? [[String: Any]] ?? []
            return items.compactMap { $0[kSecAttrAccount as String] as? String }
        case errSecItemNotFound: return []
        default: throw KeychainError("list", server, status)
        }
    }

    private func read(_ item: [String: Any]) throws -> Data? {
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
}
