import Foundation
import Security

/// Background work that waits for an item instead of deleting it.
///
/// A read that fails with `errSecInteractionNotAllowed` (-25308) says nothing about the item. The
/// work stays in the queue and runs at the next chance.
actor PendingWork {
    private let service: String
    private var waiting: [String] = []

    init(service: String) { self.service = service }

    /// The accounts whose work has to wait for an unlocked device.
    var waitingAccounts: [String] { waiting }

    /// Runs the work of an account now, or keeps it for ``resume(_:)``.
    func run(_ account: String, _ work: (Data) throws -> Void) throws {
        switch try secret(of: account) {
        case .available(let secret): try work(secret)
        case .missing: throw KeychainError("read", "\(service)/\(account)", errSecItemNotFound)
        case .locked: waiting.append(account)
        }
    }

    /// Runs what waited.
    ///
    /// Call it when protected data becomes available.
    func resume(_ work: (Data) throws -> Void) throws {
        let accounts = waiting
        waiting = []
        for account in accounts { try run(account, work) }
    }

    private enum Secret {
        case available(Data)
        case missing
        case locked
    }

    private func secret(of account: String) throws -> Secret {
        let query: [String: Any] = [
            kSecClass as String: kSecClassGenericPassword,
            kSecAttrService as String: service,
            kSecAttrAccount as String: account,
            kSecReturnData as String: true,
            kSecMatchLimit as String: kSecMatchLimitOne,
            kSecUseDataProtectionKeychain as String: true,
        ]
        var result: CFTypeRef?
        let status = SecItemCopyMatching(query as CFDictionary, &result)
        switch status {
        case errSecSuccess: return (result as? Data).map(Secret.available) ?? .missing
        case errSecItemNotFound: return .missing
        case errSecInteractionNotAllowed: return .locked
        default: throw KeychainError("read", "\(service)/\(account)", status)
        }
    }
}
