import Glibc
import KeychainModel

// Definitions  "log": SQLite's write-ahead log, which keeps earlier pages until it is emptied;
//              "pending": the log may contain earlier values, and could not be truncated yet.
// Invariants   (1) After a write that removed a value, the log is truncated or that is pending.
//              (2) A pending truncation is retried before every later request, by every later
//                  opening that finds a log, and by SQLite when the last process closes the
//                  database.
//
// Source: Documentation/Spec/store.md §2, "Removing"; requirement LCK-12.
extension ItemStore {
    /// Empties the log, which overwrites the pages that contain earlier values.
    ///
    /// - Parameter wait: The time to wait for other processes; a call never waits twice for one
    ///   reader.
    /// - Returns: Whether the earlier values are gone, with the reason if they are not.
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
            // SQLite would wait with the write lock held, and block every other writer. So this
            // repeats short attempts, and the lock is free between them.
            var pauses = truncation.isPending ? 0 : waits.brief
            while try !connection.truncateLog(waiting: 0) {
                guard pauses > 0 else { return false }
                pauses -= 1
                usleep(1000)
            }
            return true
        }
    }

    /// Whether the log may still contain earlier values.
    package var hasPendingTruncation: Bool { truncation.isPending }

    /// Retries a pending truncation without waiting.
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

/// The time for which emptying the log waits for other processes.
package enum ReaderWait: Sendable { case none, brief, long }

/// The fate of the values that a write replaced or removed.
package enum EarlierValues: Sendable, Hashable {
    /// No file contains them from then on.
    case gone
    /// The log or the database still contains them, for this reason.
    case stay(String)
}

/// Whether the log may contain earlier values, and could not be emptied yet.
final class PendingTruncation {
    var isPending = false
}
