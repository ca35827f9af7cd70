import KeychainModel
import Synchronization

// Definitions  "set": somebody asked for a lock, and nobody has carried it out yet.
// Invariants   (1) Setting it waits for nobody who is with the engine.
//              (2) From then on whoever enters the engine carries the lock out first, and whoever
//                  leaves it carries it out last.
//              (3) A call that began before then returns nothing that was opened (`count`).
//              (4) Each request is told once what became of it, with no lock held.

/// How a lock was asked for, the stronger ones later.
package enum LockRequest: UInt8, Sendable, Comparable {
    /// If idle time, time of day or a grace period ask for it.
    case ifDue = 1
    /// The same, and whoever is with the engine gives up: the call began before the time came.
    case ifDueNow
    /// Unless nobody has unlocked since the start.
    case ifOpened
    case always
    /// As when the machine starts.
    case forgettingFirstUnlock

    package static func < (left: LockRequest, right: LockRequest) -> Bool {
        left.rawValue < right.rawValue
    }
}

/// What became of a lock.
package enum LockOutcome: Sendable {
    case locked
    /// Nothing was to be locked.
    case nothing
    /// The keys are gone, but the lock is not on record.
    case unrecorded(KeychainError)
}

/// That a lock was asked for, in front of the engine's own lock.
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

    /// Whether whoever is with the engine has to give up.
    var interrupts: Bool {
        level.load(ordering: .sequentiallyConsistent) > LockRequest.ifDue.rawValue
    }

    /// How often a lock was asked for, or carried out because it was due.
    var count: UInt64 { locks.load(ordering: .sequentiallyConsistent) }

    /// Asks for a lock.
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

    /// Has whoever is with the engine give up for a lock by time, too.
    func hurry() {
        requests.look { requests in
            guard requests.strongest == .ifDue else { return }
            requests.strongest = .ifDueNow
            noteLock()
            level.store(LockRequest.ifDueNow.rawValue, ordering: .sequentiallyConsistent)
        }
    }

    /// Whether the keys are to go whatever the clocks say.
    var isUnconditional: Bool {
        level.load(ordering: .sequentiallyConsistent) > LockRequest.ifDueNow.rawValue
    }

    /// What was opened until now is not to be returned any more.
    func noteLock() { locks.wrappingAdd(1, ordering: .sequentiallyConsistent) }

    /// Takes the requests over; to be called by whoever has the engine for itself.
    func take() -> (request: LockRequest, listeners: [Listener])? {
        requests.look { requests in
            guard let strongest = requests.strongest else { return nil }
            defer { requests = Requests() }
            level.store(0, ordering: .sequentiallyConsistent)
            return (strongest, requests.listeners)
        }
    }
}

/// Those who asked for a lock, and what became of it.
struct ToldLock {
    let outcome: LockOutcome
    let listeners: [LockMark.Listener]

    func tell() { for listener in listeners { listener(outcome) } }
}

extension KeychainError {
    /// Somebody locked while the call was under way.
    static var lockedMeanwhile: KeychainError {
        KeychainError(
            .interactionNotAllowed,
            "somebody locked the keychain during the call; nothing was changed"
        )
    }
}
