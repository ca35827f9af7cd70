import KeychainMessages
import KeychainModel
import Secrets

/// The long work of one caller, such as a backup, by its identifiers.
///
/// It ends with the caller's endpoint.
package final class CallerWork: Sendable {
    /// The most work at once; each may hold a file and a snapshot.
    private static let workLimit = 8

    /// `@unchecked Sendable` is sound because work is taken out while a call goes on with it.
    private struct Works: @unchecked Sendable { var byID: [WorkID: Work] = [:] }

    private let works = AdaptiveMutex(Works())

    package init() {}

    /// Keeps work under a new identifier.
    func keep(_ work: Work) throws(KeychainError) -> WorkID {
        let id = WorkID()
        let isKept = works.withLock { works in
            guard works.byID.count < Self.workLimit else { return false }
            works.byID[id] = work
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
        guard let work = works.withLock({ $0.byID.removeValue(forKey: id) }) else {
            throw KeychainError(.param, "no such work is in progress")
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
