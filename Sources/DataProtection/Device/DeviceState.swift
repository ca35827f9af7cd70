// Definitions  "available": the keys of the classes for "while unlocked" are in memory.
//              "grace": the time between locking and the eviction of those keys.
// Invariants   (1) Without a passcode the device is unlocked; no event but `passcodeSet` matters.
//              (2) A phase is entered only by a row of the table or by a resumed session.
//              (3) "Will become unavailable" is announced exactly when `unlocked` is left, and
//                  "did become available" exactly when it is entered; hence they alternate.
//              (4) An announcement of loss comes before the eviction it announces.
//              (5) Locking again during the grace never moves the deadline further away.
// States
//
//     beforeFirstUnlock ──unlocked──▸ unlocked ──lock, no grace──▸ locked
//            ▴                        ▴ │  ▴                        │ ▴
//            │                        │ │  └───────unlocked────────┘ │
//       reboot (from any)    unlocked │ │ lock, grace                │
//                                     │ ▾                            │
//                                   lockPending ────grace over───────┘
//
//   - beforeFirstUnlock: only the classes that are always available are open.
//   - unlocked: every class is open.
//   - lockPending: locked to the user; every class is still open until the deadline.
//   - locked: the classes for "while unlocked" are evicted, those for "after first unlock" stay.

/// The lock state as the user sees it.
package enum LockState: Sendable, Hashable {
    /// Not unlocked since the device started.
    case beforeFirstUnlock

    /// Locked after having been unlocked.
    case locked

    /// In use, or without a passcode.
    case unlocked
}

/// The lock state machine: pure, it decides about effects and touches no key.
package struct DeviceState: Sendable, Equatable {
    /// Whether a passcode is set.
    package private(set) var isPasscodeSet: Bool

    /// The end of the grace period; `nil` unless one is running.
    package private(set) var evictionDeadline: DeviceInstant?

    private var phase: Phase

    /// Creates the state of a device that has just started; it is unlocked if it has no passcode.
    package init(isPasscodeSet: Bool) {
        self.isPasscodeSet = isPasscodeSet
        self.phase = isPasscodeSet ? .beforeFirstUnlock : .unlocked
    }

    /// The state that the user sees; locked even during the grace period.
    package var lockState: LockState {
        switch phase {
        case .beforeFirstUnlock: .beforeFirstUnlock
        case .unlocked: .unlocked
        case .lockPending, .locked: .locked
        }
    }

    /// Whether the keys of the classes for "while unlocked" are in memory (ACC-31).
    package var isProtectedDataAvailable: Bool { phase == .unlocked || phase == .lockPending }

    /// Moves to the next state.
    ///
    /// - Parameters:
    ///   - event: The event.
    ///   - now: The time of the event.
    /// - Returns: The effects for the caller, in order; empty if the event changes nothing.
    package mutating func handle(_ event: DeviceEvent, at now: DeviceInstant) -> [DeviceEffect] {
        switch event {
        case .passcodeSet:
            isPasscodeSet = true
            return []
        case .sessionResumed(let lockState, let deadline):
            return isPasscodeSet ? resume(lockState, deadline: deadline) : []
        default:
            guard isPasscodeSet, let trigger = trigger(for: event, at: now) else { return [] }
            return follow(trigger, event, at: now)
        }
    }
}

extension DeviceState {
    private enum Phase: Sendable, Hashable, CaseIterable {
        case beforeFirstUnlock, unlocked, lockPending, locked
    }

    /// The events that the table distinguishes.
    private enum Trigger: Sendable, Hashable {
        case lockNow, lockLater, unlocked, graceOver, reboot, passcodeRemoved
    }

    private enum Eviction: Sendable {
        case nothing, whenUnlocked, all

        var effects: [DeviceEffect] {
            switch self {
            case .nothing: []
            case .whenUnlocked: [.evictWhenUnlocked]
            case .all: [.evictAll]
            }
        }
    }

    private struct Row: Sendable {
        let trigger: Trigger
        let from: Set<Phase>
        let to: Phase
        let evicting: Eviction
    }

    /// ★ The transitions of a device with a passcode; an event without a row changes nothing.
    private static let table: [Row] = [
        Row(
            trigger: .lockNow,
            from: [.unlocked, .lockPending],
            to: .locked,
            evicting: .whenUnlocked
        ),
        Row(
            trigger: .lockLater,
            from: [.unlocked, .lockPending],
            to: .lockPending,
            evicting: .nothing
        ),
        Row(
            trigger: .graceOver,
            from: [.lockPending],
            to: .locked,
            evicting: .whenUnlocked
        ),
        Row(
            trigger: .unlocked,
            from: [.beforeFirstUnlock, .lockPending, .locked],
            to: .unlocked,
            evicting: .nothing
        ),
        Row(
            trigger: .reboot,
            from: Set(Phase.allCases),
            to: .beforeFirstUnlock,
            evicting: .all
        ),
        Row(
            trigger: .passcodeRemoved,
            from: Set(Phase.allCases),
            to: .unlocked,
            evicting: .nothing
        ),
    ]

    private func trigger(for event: DeviceEvent, at now: DeviceInstant) -> Trigger? {
        switch event {
        case .lock(let grace): grace > .zero ? .lockLater : .lockNow
        case .unlocked: .unlocked
        case .timePassed: evictionDeadline.flatMap { now.hasReached($0) ? .graceOver : nil }
        case .passcodeRemoved: .passcodeRemoved
        case .reboot: .reboot
        case .passcodeSet, .sessionResumed: nil
        }
    }

    private mutating func follow(
        _ trigger: Trigger,
        _ event: DeviceEvent,
        at now: DeviceInstant
    ) -> [DeviceEffect] {
        let rows = Self.table.filter { $0.trigger == trigger && $0.from.contains(phase) }
        guard let row = rows.first else { return [] }
        if trigger == .passcodeRemoved { isPasscodeSet = false }
        let deadline = row.to == .lockPending ? nextDeadline(after: event, at: now) : nil
        return enter(row.to, deadline: deadline, evicting: row.evicting)
    }

    /// Returns the end of the grace period: the new one, or the running one if that is earlier.
    private func nextDeadline(after event: DeviceEvent, at now: DeviceInstant) -> DeviceInstant? {
        guard case .lock(let grace) = event else { return evictionDeadline }
        let asked = now.advanced(by: grace)
        guard let evictionDeadline, asked.hasReached(evictionDeadline) else { return asked }
        return evictionDeadline
    }

    private mutating func resume(
        _ lockState: LockState,
        deadline: DeviceInstant?
    ) -> [DeviceEffect] {
        switch lockState {
        case .beforeFirstUnlock: enter(.beforeFirstUnlock, deadline: nil, evicting: .all)
        case .unlocked: enter(.unlocked, deadline: nil, evicting: .nothing)
        case .locked where deadline == nil: enter(.locked, deadline: nil, evicting: .whenUnlocked)
        case .locked: enter(.lockPending, deadline: deadline, evicting: .nothing)
        }
    }

    private mutating func enter(
        _ next: Phase,
        deadline: DeviceInstant?,
        evicting eviction: Eviction
    ) -> [DeviceEffect] {
        var effects: [DeviceEffect] = []
        if phase == .unlocked, next != .unlocked {
            effects.append(.announce(.protectedDataWillBecomeUnavailable))
        }
        effects += eviction.effects
        if let deadline { effects.append(.schedule(deadline)) }
        if phase != .unlocked, next == .unlocked {
            effects.append(.announce(.protectedDataDidBecomeAvailable))
        }
        phase = next
        evictionDeadline = deadline
        return effects
    }
}
