import KeychainModel
import Secrets

@_implementationOnly import CSQLite

/// A signal that makes a connection abandon its work once a lock is requested.
///
/// So the keys are wiped without a wait for the end of a long search or write. The end of a
/// transaction is never interrupted, nor is anything after a commit: a durable write is reported as
/// done.
///
/// - Source: sqlite.org, "Query Progress Callbacks".
final class Interruption: Sendable {
    /// The SQLite instructions between two checks, which take less than a millisecond.
    private static let instructionCount: Int32 = 10_000

    private struct State {
        var mark: LockMark?
        var hasCommitted = false
    }

    private let state = AdaptiveMutex(State())

    func follow(_ mark: LockMark) { state.withLock { $0.mark = mark } }

    /// Begins a call that has not committed anything yet.
    func begin() { state.withLock { $0.hasCommitted = false } }

    /// Records that the call's writes are durable.
    func noteCommit() { state.withLock { $0.hasCommitted = true } }

    /// Whether the work should stop because a lock is requested.
    var isWanted: Bool { state.withLock { !$0.hasCommitted && $0.mark?.interrupts == true } }

    /// Installs the check, so that SQLite stops in the middle of a statement, too.
    ///
    /// The connection must not outlive this object.
    func install(on handle: OpaquePointer) {
        sqlite3_progress_handler(
            handle,
            Self.instructionCount,
            { context in
                guard let context else { return 0 }
                let own = Unmanaged<Interruption>.fromOpaque(context).takeUnretainedValue()
                return own.isWanted ? 1 : 0
            },
            Unmanaged.passUnretained(self).toOpaque()
        )
    }

    /// - Throws: `errSecInteractionNotAllowed` once a lock is requested.
    func check() throws(KeychainError) {
        if isWanted { throw .lockedMeanwhile }
    }
}
