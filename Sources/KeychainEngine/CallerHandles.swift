import KeychainMessages
import KeychainModel
import Secrets

/// What the engine keeps for one caller: what its handles name.
///
/// It ends with the caller's endpoint.
package final class CallerHandles: Sendable {
    /// Work of more than so many names at once is refused: each may hold a file and a snapshot.
    private static let workLimit = 8

    /// `@unchecked Sendable` is sound because work is taken out while a call goes on with it.
    private struct Works: @unchecked Sendable { var byID: [WorkID: Work] = [:] }

    private let works = BriefLock(Works())

    package init() {}

    /// Keeps work under a new name.
    func keep(_ work: Work) throws(KeychainError) -> WorkID {
        let id = WorkID()
        let isKept = works.withLock { works in
            guard works.byID.count < Self.workLimit else { return false }
            works.byID[id] = work
            return true
        }
        guard isKept else { throw KeychainError(.notAvailable, "too much work is under way") }
        return id
    }

    /// Goes on with work, which has ended if the body fails or says so.
    func going<R>(
        on id: WorkID,
        _ body: (Work) throws(KeychainError) -> (R, isOver: Bool)
    ) throws(KeychainError) -> R {
        guard let work = works.withLock({ $0.byID.removeValue(forKey: id) }) else {
            throw KeychainError(.param, "no such work is under way")
        }
        let (result, isOver) = try body(work)
        if !isOver { works.withLock { $0.byID[id] = work } }
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
