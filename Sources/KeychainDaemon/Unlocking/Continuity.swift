import DataProtection
import Glibc
import KeychainEngine
import KeychainHost
import KeychainModel
import Synchronization

/// A daemon's state from before its start, and its way to unlock accounts without users.
package final class Continuity: Sendable {
    /// The way to unlock accounts without users.
    package let unlocking: AccountUnlock
    private let keeper: SystemdDescriptorStore?
    /// The kept descriptors that are not taken over yet, by account.
    private let kept: Mutex<[UInt32: Int32]>

    /// Reads systemd's data for a system daemon; a user daemon uses the account's own ways.
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

    /// Returns the storage of an account's session; nil for a user daemon.
    package func sessions(of account: UInt32) -> (any SessionImageStorage)? {
        guard let keeper else { return nil }
        let descriptor = kept.withLock { $0.removeValue(forKey: account) }
        return KeptSessionStorage(of: account, keeper: keeper, kept: descriptor)
    }

    /// Opens the keychains whose sessions were kept, so that a lock affects them.
    ///
    /// - Parameter open: Opens the keychain of an account.
    /// - Returns: A sentence about the kept sessions.
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

    /// Drops the kept session of an account whose keychain cannot be opened.
    private func forget(_ account: UInt32) {
        // If it was already taken over, its storage has dropped it.
        guard let descriptor = kept.withLock({ $0.removeValue(forKey: account) }) else {
            keeper?.forget(KeptSessionStorage.name(of: account))
            return
        }
        KeptMemory(descriptor)?.wipe()
        keeper?.forget(KeptSessionStorage.name(of: account))
    }
}
