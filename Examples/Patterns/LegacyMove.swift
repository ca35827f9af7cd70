import Foundation
import Security

/// Moves secrets from the defaults into the keychain: read, write, read back, and only then delete.
///
/// Deleting is the one step that nobody can undo. If anything fails before it, the old value stays
/// and the next launch tries again. A key that has moved is not in the defaults any more, so
/// a second run does nothing.
struct LegacyMove {
    let defaults: UserDefaults
    let store: any SecretStore

    struct Report: Equatable {
        var moved: [String] = []
        /// Keys that stay in the defaults until the next attempt.
        var kept: [String] = []
    }

    /// Moves what is still in the defaults.
    ///
    /// While protected data is not available the defaults may look empty, so nothing runs.
    func run(_ keys: [String], isProtectedDataAvailable: Bool) -> Report {
        guard isProtectedDataAvailable else { return Report(kept: keys) }
        var report = Report()
        for key in keys {
            guard let old = defaults.string(forKey: key) else { continue }
            do {
                try move(Data(old.utf8), key)
                report.moved.append(key)
            } catch {
                report.kept.append(key)
            }
        }
        return report
    }

    private func move(_ secret: Data, _ key: String) throws {
        try store.save(secret, account: key)
        guard try store.read(account: key) == secret else {
            throw KeychainError("verify", key, errSecDecode)
        }
        defaults.removeObject(forKey: key)
    }
}
