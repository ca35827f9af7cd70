import Glibc
import KeychainModel

// Definitions  "log": SQLite's write-ahead log, which has pages as they were until it is emptied;
//              "owed": it may hold earlier values, and could not be emptied yet.
// Invariants   (1) After a write that took a value away the log is emptied, or that is owed.
//              (2) What is owed is tried again before every later request, by every later opening
//                  that finds a log, and by SQLite when the last process closes the database.
//
// Source: Documentation/Spec/store.md §2, "Removing"; requirement LCK-12.
extension ItemStore {
    /// Empties the log: earlier values leave it, and the pages that had them are overwritten.
    ///
    /// - Parameter wait: How long others may read on; nobody waits twice for the same reader.
    /// - Returns: Whether they are gone, and if not, why.
    @discardableResult
    package borrowing func forgetEarlierValues(_ wait: ReaderWait = .brief) -> EarlierValues {
        do throws(KeychainError) {
            debt.isOwed = try !emptyLog(wait)
        } catch {
            debt.isOwed = true
            return .stay(error.reason)
        }
        return debt.isOwed ? .stay("another process reads or writes the keychain") : .gone
    }

    private borrowing func emptyLog(_ wait: ReaderWait) throws(KeychainError) -> Bool {
        switch wait {
        case .none: return try connection.truncateLog(waiting: 0)
        case .long: return try connection.truncateLog(waiting: waits.busy)
        case .brief:
            // SQLite would wait with the write lock, and keep every other writer waiting: so the
            // attempt is repeated, and the lock is free in between.
            var pauses = debt.isOwed ? 0 : waits.brief
            while try !connection.truncateLog(waiting: 0) {
                guard pauses > 0 else { return false }
                pauses -= 1
                usleep(1000)
            }
            return true
        }
    }

    /// Whether earlier values may still be in the log.
    package var owesForgetting: Bool { debt.isOwed }

    /// Tries once more what is owed, without waiting.
    package borrowing func forgetWhatIsOwed() {
        if debt.isOwed { forgetEarlierValues(.none) }
    }

    /// Empties a log that others have left, as after a crash: nobody knows what is in it.
    package borrowing func forgetWhatOthersLeft() {
        guard let location else { return }
        var status = stat()
        guard stat(location + "-wal", &status) == 0, status.st_size > 0 else { return }
        forgetEarlierValues(.none)
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
final class LogDebt {
    var isOwed = false
}
