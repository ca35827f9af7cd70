import KeychainModel
import Synchronization

// Definitions  "set": a lock was requested, and no thread has carried it out yet.
// Invariants   (1) Setting it does not wait for a thread in the engine.
//              (2) From then on, each thread that enters the engine carries the lock out first,
//                  and each thread that leaves it carries the lock out last.
//              (3) A call that began before then returns nothing that it opened (`count`).
//              (4) Each listener hears the outcome once, without a lock held.

/// The kinds of lock request, from weakest to strongest.
package enum LockRequest: UInt8, Sendable, Comparable {
    /// Lock if idle time, time of day or a grace period requires it.
    case ifDue = 1
    /// As `ifDue`; in addition, calls that began before the due time give up.
    case ifDueNow
    /// Lock unless there was no unlock since the start.
    case ifOpened
    case always
    /// Lock and return to the state at the start of the machine.
    case forgettingFirstUnlock

    package static func < (left: LockRequest, right: LockRequest) -> Bool {
        left.rawValue < right.rawValue
    }
}

/// The outcome of a lock request.
package enum LockOutcome: Sendable {
    case locked
    /// There was nothing to lock.
    case nothing
    /// The keys are wiped, but the lock is not recorded.
    case unrecorded(KeychainError)
}

/// The mark of requested locks, in front of the engine's own lock.
final class LockMark: Sendable {
    typealias Listener = @Sendable (LockOutcome) -> Void

    private struct Requests {
        var strongest: LockRequest?
        var listeners: [Listener] = []
    }

    private let requests = Monitor(Requests())
    /// The strongest request; 0 for none.
    private let level = Atomic<UInt8>(0)
    private let locks = Atomic<UInt64>(0)

    var isSet: Bool {
        atomicMemoryFence(ordering: .sequentiallyConsistent)
        return level.load(ordering: .sequentiallyConsistent) != 0
    }

    /// Whether a call in progress has to give up.
    var interrupts: Bool {
        level.load(ordering: .sequentiallyConsistent) > LockRequest.ifDue.rawValue
    }

    /// The number of locks requested, or carried out because they were due.
    var count: UInt64 { locks.load(ordering: .sequentiallyConsistent) }

    /// Requests a lock.
    func set(_ request: LockRequest, _ listener: @escaping Listener) {
        requests.look { requests in
            let strongest = max(request, requests.strongest ?? request)
            requests.strongest = strongest
            requests.listeners.append(listener)
            if request > .ifDue { noteLock() }
            level.store(strongest.rawValue, ordering: .sequentiallyConsistent)
        }
        atomicMemoryFence(ordering: .sequentiallyConsistent)
    }

    /// Makes a call in progress give up for a lock by time as well.
    func hurry() {
        requests.look { requests in
            guard requests.strongest == .ifDue else { return }
            requests.strongest = .ifDueNow
            noteLock()
            level.store(LockRequest.ifDueNow.rawValue, ordering: .sequentiallyConsistent)
        }
    }

    /// Whether the keys have to go regardless of the clocks.
    var isUnconditional: Bool {
        level.load(ordering: .sequentiallyConsistent) > LockRequest.ifDueNow.rawValue
    }

    /// Counts a lock, so that calls discard the data that they opened before it.
    func noteLock() { locks.wrappingAdd(1, ordering: .sequentiallyConsistent) }

    /// Takes the requests over; the caller must have exclusive access to the engine.
    func take() -> (request: LockRequest, listeners: [Listener])? {
        requests.look { requests in
            guard let strongest = requests.strongest else { return nil }
            defer { requests = Requests() }
            level.store(0, ordering: .sequentiallyConsistent)
            return (strongest, requests.listeners)
        }
    }
}

/// The outcome of a lock, with the listeners to notify.
struct ToldLock {
    let outcome: LockOutcome
    let listeners: [LockMark.Listener]

    func tell() { for listener in listeners { listener(outcome) } }
}

extension KeychainError {
    /// The error of a call during which the keychain was locked.
    static var lockedMeanwhile: KeychainError {
        KeychainError(
            .interactionNotAllowed,
            "somebody locked the keychain during the call; nothing was changed"
        )
    }
}
