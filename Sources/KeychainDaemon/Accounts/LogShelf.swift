import KeychainAudit
import Secrets
import Synchronization

/// The log of an account, with a mark for new lines.
package final class AccountLog: Sendable {
    let account: UInt32
    let audit: AuditLog
    private let isNoted = Mark()

    init(_ audit: AuditLog, of account: UInt32) {
        self.account = account
        self.audit = audit
    }

    /// Sets the mark for new lines; returns whether it was not set before.
    func becomesNoted() -> Bool { !isNoted.exchange(true) }

    /// Clears the mark, and writes the waiting lines.
    func writeNoted() {
        isNoted.clear()
        audit.writeWaiting()
    }
}

// Invariants   (1) An account has at most one log object: here, or in its open keychain.
//              (2) A log here becomes durable just like that of an open keychain.

/// The logs of keychains that were closed recently.
///
/// So closing a keychain waits for no disk, and the account's next call does not read the log
/// again.
final class LogShelf: Sendable {
    private struct Kept {
        let log: AccountLog
        let since: ContinuousClock.Instant
    }

    private static let limit = 512
    private static let time = Duration.seconds(60)

    private let kept = AdaptiveMutex<[UInt32: Kept]>([:])

    /// Keeps the log of a closed keychain.
    func put(_ log: AccountLog, of account: UInt32) {
        let earlier = kept.withLock { kept in
            kept.updateValue(Kept(log: log, since: .now), forKey: account)
        }
        earlier?.log.audit.close()
    }

    /// Removes and returns the log of an account, if it has this key.
    func take(_ account: UInt32, under key: SharedSecret) -> AccountLog? {
        let taken = kept.withLock { $0.removeValue(forKey: account) }
        guard let found = taken?.log else { return nil }
        if found.audit.hasKey(key) { return found }
        found.audit.close()
        return nil
    }

    /// Closes the log of an account whose directory is about to change.
    func close(_ account: UInt32) {
        kept.withLock { $0.removeValue(forKey: account) }?.log.audit.close()
    }

    /// Closes logs that were unused for a while, and the oldest if there are too many.
    func giveBack() {
        let now = ContinuousClock.now
        kept.withLock { kept in
            let oldest = kept.sorted { $0.value.since < $1.value.since }
            for (account, one) in oldest {
                let isDue = one.since.advanced(by: Self.time) <= now
                // A log that is not durable yet stays, because closing it would wait for the disk.
                guard isDue || kept.count > Self.limit, one.log.audit.isDurable else { continue }
                // Close it first, so that no thread misses it here and opens it again too early.
                one.log.audit.close()
                kept[account] = nil
            }
        }
    }

    /// Closes all logs, because the process ends.
    func end() {
        let all = kept.withLock { kept in
            defer { kept = [:] }
            return kept
        }
        for one in all.values { one.log.audit.close() }
    }

    var isEmpty: Bool { kept.withLock(\.isEmpty) }
}
