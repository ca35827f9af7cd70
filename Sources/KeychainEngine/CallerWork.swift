import KeychainMessages
import KeychainModel
import Secrets

/// The long work of one caller, such as a backup, by its identifiers.
///
/// It ends with the caller's endpoint.
package final class CallerWork: Sendable {
    /// The most work at once; each may hold a file and a snapshot.
    private static let workLimit = 8

    /// What work takes at most: the pages of a snapshot, and a portion that waits to be fetched.
    private static let byteCount = 2 << 20

    private struct Kept {
        let work: Work
        let place: KeptPlace?
    }

    /// `@unchecked Sendable` is sound because work is taken out while a call goes on with it.
    private struct Works: @unchecked Sendable { var byID: [WorkID: Kept] = [:] }

    private let works = AdaptiveMutex(Works())

    package init() {}

    /// Keeps work under a new identifier.
    ///
    /// - Throws: `errSecNotAvailable` for too much work of this caller; `errSecAllocate` if the
    ///   person has no room left for it.
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

    /// Resumes work, which has ended if the body fails or says so.
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

    /// Ends work; nothing happens if it has ended.
    func stop(_ id: WorkID) {
        // Let go outside of the lock: a snapshot's end talks to SQLite.
        _ = works.withLock { $0.byID.removeValue(forKey: id) }
    }
}

/// Work that goes on over several requests.
enum Work {
    case backup(BackupWork)
    case restore(RestoreWork)
    case check(CheckWork)
    case passcodeLosses(LossWork)
}
