import KeychainModel
import Secrets

/// What the owner of a keychain may have done to all of it; an app may not.
///
/// Work whose answer is large begins with one request. The answer comes in portions, each for a
/// request of its own, so that neither side ever holds all of it, and nobody waits for a reader who
/// is slow.
///
/// ```
/// begin(backup)  ▸ begun(id)      next(id) ▸ portion …  next(id) ▸ portion with the outcome
/// begin(restore) ▸ begun(id)      give(id, bytes) ▸ done …  next(id) ▸ portion with the outcome
/// ```
package enum MaintenanceRequest: Sendable {
    case begin(MaintenanceWork)
    /// Goes on with work; a restore is carried out by it, all of it or nothing.
    case next(WorkID)
    /// Hands a restore the next bytes of its backup.
    case give(WorkID, [UInt8])
    /// Ends work whose rest nobody wants.
    case stop(WorkID)
    /// Accepts the present rows as correct, so that later checks no longer report rows that
    /// somebody restored or removed; changes no row.
    case acceptRows
    /// The default access group of a program, according to the records of programs.
    case programGroup(ProgramGroupQuery)
}

/// Work that goes on over several requests.
package enum MaintenanceWork: Sendable {
    /// Copies out all that may leave the device; only while it is unlocked.
    case backup(password: SharedSecret)
    /// Copies a backup in; only while the device is unlocked.
    case restore(password: SharedSecret)
    /// Verifies the database, and every row by opening it; changes nothing.
    ///
    /// Works in every lock state: rows of a closed class are counted and left unverified.
    case check(CheckExtent)
    /// Names every item that the removal of the passcode would delete or close for good.
    case passcodeLosses
}

/// Identifies work that goes on, at the endpoint that began it; other endpoints do not know it.
package struct WorkID: Sendable, Hashable {
    /// The first 8 of its 16 bytes, as a big-endian number.
    package let high: UInt64
    /// The last 8.
    package let low: UInt64

    /// A new name: 128 random bits.
    package init() {
        self.init(high: .random(in: .min ... .max), low: .random(in: .min ... .max))
    }

    /// A name that was made before, here or in another process.
    package init(high: UInt64, low: UInt64) {
        self.high = high
        self.low = low
    }
}

/// What is answered to maintenance.
package enum MaintenanceReply: Sendable {
    case done
    case begun(WorkID)
    case portion(WorkPortion)
    /// How many rows are, from now on, the ones that were written.
    case accepted(rowCount: Int)
    case programGroup(RecordedGroup)
}

/// What work came to since the portion before.
package struct WorkPortion: Sendable, Hashable {
    package var findings: [WorkFinding] = []
    /// How many items or rows are done since the work began.
    package var doneCount = 0
    /// Present in the last portion.
    package var outcome: WorkOutcome?

    package init() {}
}

/// One thing that work came to.
package enum WorkFinding: Sendable, Hashable {
    /// The next bytes of a backup.
    case bytes([UInt8])
    case fault(CheckFault)
    /// An item that nothing opens any more, or that a removal of the passcode would delete; no
    /// fault.
    case boundItem(BoundItem)
}

/// How work ended.
package enum WorkOutcome: Sendable, Hashable {
    case backup(BackupReport)
    case restore(RestoreReport)
    case check(CheckReport)
    /// How many items the lock state keeps closed, so that nothing is known of them.
    case passcodeLosses(closedCount: Int)
}
