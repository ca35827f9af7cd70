import Foundation
import Security

/// A place for secrets, so that migrations can be tested with a store that fails on request.
protocol SecretStore {
    func save(_ secret: Data, account: String) throws
    func read(account: String) throws -> Data?
    func delete(account: String) throws
}

/// The keychain as such a place, for what background work needs.
struct KeychainStore: SecretStore {
    let service: String

    func save(_ secret: Data, account: String) throws {
        try BackgroundToken(service: service, account: account).save(secret)
    }

    func read(account: String) throws -> Data? {
        switch try BackgroundToken(service: service, account: account).read() {
        case .token(let secret): return secret
        case .signedOut: return nil
        case .tryLater: throw KeychainError("read", account, errSecInteractionNotAllowed)
        }
    }

    func delete(account: String) throws {
        let item: [String: Any] = [
            kSecClass as String: kSecClassGenericPassword,
            kSecAttrService as String: service,
            kSecAttrAccount as String: account,
            kSecUseDataProtectionKeychain as String: true,
        ]
        let status = SecItemDelete(item as CFDictionary)
        guard status == errSecSuccess || status == errSecItemNotFound else {
            throw KeychainError("delete", "\(service)/\(account)", status)
        }
    }
}

/// A store in memory for unit tests, which fails like a locked device or loses what it saves.
final class MemoryStore: SecretStore {
    var secrets: [String: Data] = [:]
    /// The status of every call from now on; nil lets them succeed.
    var failure: OSStatus?
    var losesWrites = false

    func save(_ secret: Data, account: String) throws {
        try check("save", account)
        if !losesWrites { secrets[account] = secret }
    }

    func read(account: String) throws -> Data? {
        try check("read", account)
        return secrets[account]
    }

    func delete(account: String) throws {
        try check("delete", account)
        secrets[account] = nil
    }

    private func check(_ operation: String, _ account: String) throws {
        if let failure { throw KeychainError(operation, account, failure) }
    }
}
