import KeychainModel
import Secrets

@_implementationOnly import CSQLite

/// Has a connection give up what is under way once somebody locks: nobody waits for the end of a
/// long search or write until the keys are gone.
///
/// The ends of transactions are never interrupted, nor is anything behind a commit: what is durable
/// is reported as done.
///
/// - Source: sqlite.org, "Query Progress Callbacks".
final class Interruption: Sendable {
    /// After so many of its own instructions SQLite looks, which takes it less than a millisecond.
    private static let instructionCount: Int32 = 10_000

    private struct State {
        var mark: LockMark?
        var hasCommitted = false
    }

    private let state = AdaptiveMutex(State())

    func follow(_ mark: LockMark) { state.withLock { $0.mark = mark } }

    /// A call begins: nothing of it is durable yet.
    func begin() { state.withLock { $0.hasCommitted = false } }

    /// What the call wrote is durable.
    func noteCommit() { state.withLock { $0.hasCommitted = true } }

    /// Whether somebody wants to lock.
    var isWanted: Bool { state.withLock { !$0.hasCommitted && $0.mark?.interrupts == true } }

    /// Has SQLite give up in the middle of a statement, too.
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

    /// - Throws: `errSecInteractionNotAllowed` once somebody wants to lock.
    func check() throws(KeychainError) {
        if isWanted { throw .lockedMeanwhile }
    }
}
