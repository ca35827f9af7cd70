import KeychainModel
import Secrets

/// Has a connection give up what is under way once somebody locks: nobody waits for the end of a
/// long search or write until the keys are gone.
///
/// The ends of transactions are never interrupted, nor is anything behind a commit: what is durable
/// is reported as done.
final class Interruption: Sendable {
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

    /// - Throws: `errSecInteractionNotAllowed` once somebody wants to lock.
    func check() throws(KeychainError) {
        if isWanted { throw .lockedMeanwhile }
    }
}
