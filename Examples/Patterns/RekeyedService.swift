import Foundation
import Security

/// Brings items to a new service name: read, write, read back, and only then delete the old one.
///
/// Service and account are the primary key. An update of them would leave no way back, and a new
/// name alone would leave the old items behind, unreachable.
struct RekeyedService {
    let old: String
    let new: String

    /// Moves the accounts that exist under the old name, and returns them.
    ///
    /// - Throws: ``KeychainError`` that ``KeychainError/isLocked`` if the device is locked. What
    ///   has not moved is still under its old name, and the next call continues.
    func run(_ accounts: [String]) throws -> [String] {
        let source = KeychainStore(service: old)
        let target = KeychainStore(service: new)
        var moved: [String] = []
        for account in accounts {
            guard let secret = try source.read(account: account) else { continue }
            try target.save(secret, account: account)
            guard try target.read(account: account) == secret else {
                throw KeychainError("verify", "\(new)/\(account)", errSecDecode)
            }
            try source.delete(account: account)
            moved.append(account)
        }
        return moved
    }
}
