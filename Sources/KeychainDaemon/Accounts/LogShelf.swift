import KeychainAudit
import Secrets
import Synchronization

/// The log of an account, and whether somebody knows that it has new lines.
package final class AccountLog: Sendable {
    let account: UInt32
    let audit: AuditLog
    private let isNoted = Mark()

    init(_ audit: AuditLog, of account: UInt32) {
        self.account = account
        self.audit = audit
    }

    /// Whether nobody knows yet that it has lines; from now on somebody does.
    func becomesNoted() -> Bool { !isNoted.exchange(true) }

    /// Writes the lines that wait; the next one makes it noted anew.
    func writeNoted() {
        isNoted.clear()
        audit.writeWaiting()
    }
}

// Invariants   (1) An account has at most one log object: here, or in its open keychain.
//              (2) What is here gets durable as if its keychain were open.

/// The logs of keychains that were closed a while ago.
///
/// To close a keychain then waits for no disk, and its log is not read again when the account's
/// next call comes.
final class LogShelf: Sendable {
    private struct Kept {
        let log: AccountLog
        let since: ContinuousClock.Instant
    }

    private static let limit = 512
    private static let time = Duration.seconds(60)

    private let kept = AdaptiveMutex<[UInt32: Kept]>([:])

    /// Keeps the log of a keychain that is closed.
    func put(_ log: AccountLog, of account: UInt32) {
        let earlier = kept.withLock { kept in
            kept.updateValue(Kept(log: log, since: .now), forKey: account)
        }
        earlier?.log.audit.close()
    }

    /// Hands over the log of an account, if it has this key.
    func take(_ account: UInt32, under key: SharedSecret) -> AccountLog? {
        let taken = kept.withLock { $0.removeValue(forKey: account) }
        guard let found = taken?.log else { return nil }
        if found.audit.hasKey(key) { return found }
        found.audit.close()
        return nil
    }

    /// Closes the log of an account, whose directory is about to change.
    func close(_ account: UInt32) {
        kept.withLock { $0.removeValue(forKey: account) }?.log.audit.close()
    }

    /// Closes logs that nobody took for a while, and the oldest where there are too many.
    func giveBack() {
        let now = ContinuousClock.now
        kept.withLock { kept in
            let oldest = kept.sorted { $0.value.since < $1.value.since }
            for (account, one) in oldest {
                let isDue = one.since.advanced(by: Self.time) <= now
                // What is not durable yet waits until that takes no disk.
                guard isDue || kept.count > Self.limit, one.log.audit.isDurable else { continue }
                // Closed before anybody can miss it here, and open it anew.
                one.log.audit.close()
                kept[account] = nil
            }
        }
    }

    /// Closes all of them, because the process ends.
    func end() {
        let all = kept.withLock { kept in
            defer { kept = [:] }
            return kept
        }
        for one in all.values { one.log.audit.close() }
    }

    var isEmpty: Bool { kept.withLock(\.isEmpty) }
}
