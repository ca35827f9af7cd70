import KeychainModel
import Secrets

/// A request of the owner of a keychain about all of it; apps may not make it.
///
/// Work with a large answer begins with one request. The answer comes in portions, each with a
/// request of its own. So neither side ever holds all of it, and nothing waits for a slow reader.
///
/// ```
/// begin(backup)  ▸ begun(id)      next(id) ▸ portion …  next(id) ▸ portion with the outcome
/// begin(restore) ▸ begun(id)      give(id, bytes) ▸ done …  next(id) ▸ portion with the outcome
/// ```
package enum MaintenanceRequest: Sendable {
    case begin(MaintenanceWork)
    /// Continues work; it carries out a restore, all of it or nothing.
    case next(WorkID)
    /// Passes the next bytes of a backup to a restore.
    case give(WorkID, [UInt8])
    /// Ends work whose rest is not needed.
    case stop(WorkID)
    /// Accepts the present rows as correct; changes no row.
    ///
    /// Later checks then no longer report rows that were restored or removed.
    case acceptRows
    /// Returns the default access group of a program, according to the records of programs.
    case programGroup(ProgramGroupQuery)
}

/// Work over several requests.
package enum MaintenanceWork: Sendable {
    /// Writes a backup of all that may leave the device; requires an unlocked device.
    case backup(password: SharedSecret)
    /// Restores a backup; requires an unlocked device.
    case restore(password: SharedSecret)
    /// Verifies the database, and every row by opening it; changes nothing.
    ///
    /// It works in every lock state: rows of a closed class are counted but not verified.
    case check(CheckExtent)
    /// Names every item that removing the passcode would delete or make unreadable permanently.
    case passcodeLosses
}

/// The name of work in progress at the endpoint that began it; other endpoints do not know it.
package struct WorkID: Sendable, Hashable {
    /// The first 8 of its 16 bytes, as a big-endian number.
    package let high: UInt64
    /// The last 8 bytes.
    package let low: UInt64

    /// Creates a new identifier: 128 random bits.
    package init() {
        self.init(high: .random(in: .min ... .max), low: .random(in: .min ... .max))
    }

    /// Creates an existing identifier, from here or from another process.
    package init(high: UInt64, low: UInt64) {
        self.high = high
        self.low = low
    }
}

/// The reply to a maintenance request.
package enum MaintenanceReply: Sendable {
    case done
    case begun(WorkID)
    case portion(WorkPortion)
    /// The number of rows that are now accepted.
    case accepted(rowCount: Int)
    case programGroup(RecordedGroup)
}

/// The progress of work since the previous portion.
package struct WorkPortion: Sendable, Hashable {
    package var findings: [WorkFinding] = []
    /// The number of items or rows done since the work began.
    package var doneCount = 0
    /// Present in the last portion.
    package var outcome: WorkOutcome?

    package init() {}
}

/// One finding of work.
package enum WorkFinding: Sendable, Hashable {
    /// The next bytes of a backup.
    case bytes([UInt8])
    case fault(CheckFault)
    /// An item that no longer opens, or that removing the passcode would delete.
    ///
    /// It is not a fault.
    case boundItem(BoundItem)
}

/// The outcome of work.
package enum WorkOutcome: Sendable, Hashable {
    case backup(BackupReport)
    case restore(RestoreReport)
    case check(CheckReport)
    /// The number of items that could not be examined, because the lock state closes them.
    case passcodeLosses(closedCount: Int)
}
