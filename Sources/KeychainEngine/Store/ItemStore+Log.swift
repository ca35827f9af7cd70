import Glibc
import KeychainModel

// Definitions  "log": SQLite's write-ahead log, which has pages as they were until it is emptied;
//              "pending": it may hold earlier values, and could not be truncated yet.
// Invariants   (1) After a write that removed a value the log is truncated, or that is pending.
//              (2) A pending truncation is retried before every later request, by every later
//                  opening that finds a log, and by SQLite when the last process closes the
//                  database.
//
// Source: Documentation/Spec/store.md §2, "Removing"; requirement LCK-12.
extension ItemStore {
    /// Empties the log: earlier values leave it, and the pages that had them are overwritten.
    ///
    /// - Parameter wait: How long others may read on; nobody waits twice for the same reader.
    /// - Returns: Whether they are gone, and if not, why.
    @discardableResult
    package borrowing func removeEarlierValues(_ wait: ReaderWait = .brief) -> EarlierValues {
        do throws(KeychainError) {
            truncation.isPending = try !emptyLog(wait)
        } catch {
            truncation.isPending = true
            return .stay(error.reason)
        }
        return truncation.isPending ? .stay("another process reads or writes the keychain") : .gone
    }

    private borrowing func emptyLog(_ wait: ReaderWait) throws(KeychainError) -> Bool {
        switch wait {
        case .none: return try connection.truncateLog(waiting: 0)
        case .long: return try connection.truncateLog(waiting: waits.busy)
        case .brief:
            // SQLite would wait with the write lock, and keep every other writer waiting: so the
            // attempt is repeated, and the lock is free in between.
            var pauses = truncation.isPending ? 0 : waits.brief
            while try !connection.truncateLog(waiting: 0) {
                guard pauses > 0 else { return false }
                pauses -= 1
                usleep(1000)
            }
            return true
        }
    }

    /// Whether earlier values may still be in the log.
    package var hasPendingTruncation: Bool { truncation.isPending }

    /// Retries a pending truncation, without waiting.
    package borrowing func retryPendingTruncation() {
        if truncation.isPending { removeEarlierValues(.none) }
    }

    /// Truncates a log that another process left, for example after a crash.
    package borrowing func truncateLeftLog() {
        guard let location else { return }
        var status = stat()
        guard stat(location + "-wal", &status) == 0, status.st_size > 0 else { return }
        removeEarlierValues(.none)
    }
}

/// How long emptying the log waits for other processes.
package enum ReaderWait: Sendable { case none, brief, long }

/// What became of the values that a write took away.
package enum EarlierValues: Sendable, Hashable {
    /// They are in no file.
    case gone
    /// They are still in the log or in the database, and why.
    case stay(String)
}

/// Whether the log may hold earlier values, and could not be emptied yet.
final class PendingTruncation {
    var isPending = false
}
