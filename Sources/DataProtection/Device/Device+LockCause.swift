extension DeviceEvent {
    /// The cause of the lock, unless the caller of `apply` knows a better one.
    fileprivate var lockCause: LockCause {
        switch self {
        case .lock, .reboot: .requested
        case .sessionResumed, .unlocked, .timePassed, .passcodeSet, .passcodeRemoved: .elsewhere
        }
    }
}

extension Device {
    /// Returns the causes of the locks since the last call, and empties the list.
    package mutating func takeLockCauses() -> [LockCause] {
        defer { lockCauses = [] }
        return lockCauses
    }

    /// Advances the state machine and carries out its effects.
    ///
    /// - Parameters:
    ///   - event: The event.
    ///   - cause: The cause of a lock; nil for the event's own.
    ///   - now: The time of the event.
    mutating func apply(
        _ event: DeviceEvent,
        because cause: LockCause? = nil,
        at now: DeviceInstant
    ) {
        let before = state.lockState
        defer {
            if before == .unlocked, state.lockState != .unlocked {
                lockCauses.append(cause ?? event.lockCause)
            }
        }
        switch event {
        case .unlocked, .passcodeSet: markUnlock(at: now)
        default: break
        }
        for effect in state.handle(event, at: now) {
            switch effect {
            case .evictWhenUnlocked: keybag.evictWhenUnlocked()
            case .evictAll:
                keybag.evictGuarded()
                unlockToken = nil
                lastMatch = nil
            case .schedule: break  // The owner calls `advance` by `state.evictionDeadline`.
            case .announce(let announcement): pending.append(announcement)
            }
        }
        // A match counts for the unlock that it caused, not for a later one.
        guard state.lockState != .unlocked else { return }
        lastMatch = nil
        if tokenLifetime == .untilLock { unlockToken = nil }
    }
}
