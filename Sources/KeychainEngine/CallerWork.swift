import KeychainMessages
import KeychainModel
import Secrets

/// The long work of one caller, such as a backup, by identifier.
///
/// It ends when the caller's endpoint ends.
package final class CallerWork: Sendable {
    /// The most work at once; each may hold a file and a snapshot.
    private static let workLimit = 8

    /// The memory of one piece of work: a snapshot's pages, and a portion that waits to be fetched.
    private static let byteCount = 2 << 20

    private struct Kept {
        let work: Work
        let place: KeptPlace?
    }

    /// `@unchecked Sendable` is sound because a call takes work out while it resumes it.
    private struct Works: @unchecked Sendable { var byID: [WorkID: Kept] = [:] }

    private let works = AdaptiveMutex(Works())

    package init() {}

    /// Keeps work under a new identifier.
    ///
    /// - Throws: `errSecNotAvailable` if this caller has too much work in progress;
    ///   `errSecAllocate` if the account's budget is used up.
    func keep(
        _ work: Work,
        _ environment: EngineEnvironment
    ) throws(KeychainError) -> WorkID {
        let id = WorkID()
        let kept = Kept(work: work, place: try environment.place(Self.byteCount))
        let isKept = works.withLock { works in
            guard works.byID.count < Self.workLimit else { return false }
            works.byID[id] = kept
            return true
        }
        guard isKept else { throw KeychainError(.notAvailable, "too much work is in progress") }
        return id
    }

    /// Resumes work, and drops it if `body` throws or returns that it is over.
    func resume<R>(
        _ id: WorkID,
        _ body: (Work) throws(KeychainError) -> (R, isOver: Bool)
    ) throws(KeychainError) -> R {
        guard let kept = works.withLock({ $0.byID.removeValue(forKey: id) }) else {
            throw KeychainError(.param, "no such work is in progress")
        }
        let (result, isOver) = try body(kept.work)
        if !isOver { works.withLock { $0.byID[id] = kept } }
        return result
    }

    /// Ends work; does nothing if it has already ended.
    func stop(_ id: WorkID) {
        // The snapshot's end calls SQLite, so it is released outside of the lock.
        _ = works.withLock { $0.byID.removeValue(forKey: id) }
    }
}

/// Work that spans several requests.
enum Work {
    case backup(BackupWork)
    case restore(RestoreWork)
    case check(CheckWork)
    case passcodeLosses(LossWork)
}
