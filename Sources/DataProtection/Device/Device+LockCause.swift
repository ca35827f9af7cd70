extension DeviceEvent {
    /// Why it locks, unless whoever applies it knows better.
    fileprivate var lockCause: LockCause {
        switch self {
        case .lock, .reboot: .requested
        case .sessionResumed, .unlocked, .timePassed, .passcodeSet, .passcodeRemoved: .elsewhere
        }
    }
}

extension Device {
    /// Empties the list of causes.
    package mutating func takeLockCauses() -> [LockCause] {
        defer { lockCauses = [] }
        return lockCauses
    }

    /// Moves the state machine and does what it asks for.
    ///
    /// - Parameters:
    ///   - event: What happened.
    ///   - cause: Why it locks, if it does; nil for what the event says.
    ///   - now: When.
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
        // A match counts for the unlocking that it made, not for a later one.
        guard state.lockState != .unlocked else { return }
        lastMatch = nil
        if tokenLifetime == .untilLock { unlockToken = nil }
    }
}
