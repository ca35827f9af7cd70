import DataProtection
import Glibc
import KeychainEngine
import KeychainHost
import KeychainModel
import Synchronization

/// What a daemon has of the time before it started, and how it unlocks accounts without people.
package final class Continuity: Sendable {
    /// How accounts are unlocked without people.
    package let unlocking: AccountUnlock
    private let keeper: SystemdDescriptorStore?
    /// The descriptors that nobody has taken over yet, by account.
    private let kept: Mutex<[UInt32: Int32]>

    /// From what systemd passes to a system daemon; a user daemon has the account's own ways.
    package init(_ kind: DaemonKind, _ environment: ProcessEnvironment) {
        guard kind == .system else {
            keeper = nil
            kept = Mutex([:])
            unlocking = AccountUnlock(directory: nil, descriptors: [:])
            return
        }
        let inherited = InheritedDescriptors()
        keeper = SystemdDescriptorStore()
        kept = Mutex(inherited.keptSessions)
        unlocking = AccountUnlock(
            directory: environment["CREDENTIALS_DIRECTORY"],
            descriptors: inherited.passcodes
        )
    }

    /// Where the session of an account is kept; nil in the engine alone.
    package func sessions(of account: UInt32) -> (any SessionImageStorage)? {
        guard let keeper else { return nil }
        let descriptor = kept.withLock { $0.removeValue(forKey: account) }
        return KeptSessionStorage(of: account, keeper: keeper, kept: descriptor)
    }

    /// Opens the keychains whose sessions were kept, so that a lock reaches them.
    ///
    /// - Parameter open: Opens the keychain of an account.
    /// - Returns: What was kept, as a sentence.
    package func resume(
        _ open: (UInt32) throws(KeychainError) -> Engine
    ) -> String {
        var count = 0
        for account in kept.withLock({ $0.keys.sorted() }) {
            guard let engine = try? open(account) else {
                forget(account)
                continue
            }
            if (try? engine.lockState().state) != .beforeFirstUnlock { count += 1 }
        }
        return count == 0
            ? "nothing was kept across a restart: keychains wait for their first unlock"
            : "kept across the restart: what was unlocked for \(count) account(s)"
    }

    /// Gives up what was kept for an account whose keychain cannot be opened.
    private func forget(_ account: UInt32) {
        // Taken over already, it was given up with its storage.
        guard let descriptor = kept.withLock({ $0.removeValue(forKey: account) }) else {
            keeper?.forget(KeptSessionStorage.name(of: account))
            return
        }
        KeptMemory(descriptor)?.wipe()
        keeper?.forget(KeptSessionStorage.name(of: account))
    }
}
