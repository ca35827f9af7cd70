import DataProtection
import KeychainMessages
import KeychainModel

// A lock in two steps: a mark that waits for nobody, and what follows from it as soon as somebody
// has the engine for itself.
//
// Source: Documentation/Spec/locking.md §6.
extension Engine {
    /// Asks for a lock, and returns at once: from now on no call returns what was opened, and no
    /// call that begins opens anything.
    ///
    /// - Parameters:
    ///   - request: What is asked for.
    ///   - done: Hears, once, when it is carried out; on any thread, with no lock held.
    package func markLock(
        _ request: LockRequest,
        done: @escaping @Sendable (LockOutcome) -> Void = { _ in }
    ) { mark.set(request, done) }

    /// Carries out the locks that were asked for, if nobody is with the engine.
    ///
    /// Whoever is with it does so on leaving, and gives up: also for a lock by time, if the call
    /// began before the time came. This waits for the disk at most.
    ///
    /// A lock that does not depend on time is put on record first in any case: what was shared of
    /// the session opens nothing any more, also if this process is killed before the other thread
    /// leaves.
    package func carryOutLocks() {
        if carryOutIfFree() { return }
        // Every call publishes its use when it begins.
        if !mark.interrupts, timeToLock() == .zero {
            mark.hurry()
            carryOutIfFree()
            return
        }
        guard mark.isUnconditional, schedule.withLock({ $0 })?.state != .beforeFirstUnlock,
            let sessions
        else { return }
        try? Device.lockUnopened(
            storage,
            sessions: sessions,
            random: environment.random,
            at: environment.instant()
        )
        _ = carryOutIfFree()
    }

    /// Locks, and returns when the keys are gone.
    ///
    /// - Throws: What keeps the lock from being recorded; the keys are gone all the same.
    func lockAndWait(_ request: LockRequest) throws(KeychainError) {
        let outcome = Monitor<LockOutcome?>(nil)
        markLock(request) { found in outcome.change { $0 = found } }
        carryOutLocks()
        if case .unrecorded(let error)? = outcome.wait(lookingEvery: .seconds(60), { $0 }) {
            throw error
        }
    }

    /// Carries out what was asked for, as long as nobody is with the engine.
    ///
    /// - Returns: False if somebody is, who then does it.
    @discardableResult
    func carryOutIfFree() -> Bool {
        while mark.isSet {
            var told: [ToldLock] = []
            var announcements: [DeviceAnnouncement] = []
            var causes: [LockCause] = []
            let isDone = state.withLockIfFree { state in
                told = carryOut(&state)
                announcements = state.session.takeAnnouncements()
                causes = state.session.device.takeLockCauses()
            }
            for cause in causes { environment.locked(cause) }
            for announcement in announcements { environment.announce(announcement) }
            for lock in told { lock.tell() }
            if !isDone { return false }
        }
        return true
    }

    /// Carries out what was asked for; to be called by whoever has the state for itself.
    ///
    /// - Returns: Who is to be told once the state is free.
    func carryOut(_ state: inout EngineState) -> [ToldLock] {
        var told: [ToldLock] = []
        while let (request, listeners) = mark.take() {
            let outcome = Self.lock(request, &state, environment)
            if request <= .ifDueNow, case .nothing = outcome {} else { mark.noteLock() }
            told.append(ToldLock(outcome: outcome, listeners: listeners))
        }
        if !told.isEmpty { publish(state) }
        return told
    }

    private static func lock(
        _ request: LockRequest,
        _ state: inout EngineState,
        _ environment: EngineEnvironment
    ) -> LockOutcome {
        // Its keys are gone for good.
        guard !state.hasEnded else { return .nothing }
        let wasOpen = state.session.device.isProtectedDataAvailable
        do throws(KeychainError) {
            switch request {
            case .ifDue, .ifDueNow:
                try state.lockIfDue()
                let isOpen = state.session.device.isProtectedDataAvailable
                return wasOpen && !isOpen ? .locked : .nothing
            case .ifOpened:
                state.refreshUnused()
                if state.session.device.state.lockState == .beforeFirstUnlock { return .nothing }
                try state.lockNow()
            case .always: try state.lockNow()
            case .forgettingFirstUnlock:
                state.refreshUnused()
                try state.withSession { session throws(KeychainError) in
                    try session.change { device, now throws(DeviceError) in
                        try device.forgetFirstUnlock(at: now)
                    }
                }
            }
            return .locked
        } catch { return .unrecorded(error) }
    }

    /// Shows others what a lock by time depends on.
    func publish(_ state: borrowing EngineState) {
        let present = state.session.device.lockSchedule
        schedule.withLock { $0 = present }
    }
}

extension EngineState {
    /// Locks: the keys of this process first, whatever keeps it from looking at the files.
    fileprivate mutating func lockNow() throws(KeychainError) {
        withSessionNow { session in session.device.evictNow(at: session.environment.instant()) }
        refreshUnused()
        try withSession { session throws(KeychainError) in try session.lock(grace: .zero) }
    }

    /// Looks at the files as far as that is possible; it does not count as use.
    fileprivate mutating func refreshUnused() {
        session.device.countsUse = false
        defer { session.device.countsUse = true }
        try? refresh()
    }

    private mutating func withSessionNow(_ body: (inout DeviceSession) -> Void) {
        defer { vault.closeUnavailable(session) }
        body(&session)
        session.endProofsIfLocked()
    }

    /// Locks if idle time, time of day or a grace period ask for it now; never counts as use.
    mutating func lockIfDue() throws(KeychainError) {
        try withSession { session throws(KeychainError) in
            try session.change { device, now throws(DeviceError) in try device.lockIfDue(at: now) }
        }
    }
}

// What a lock by time or at sleep depends on, without waiting for whoever is with the engine.
extension Engine {
    /// How long it is until the keychain has to lock if nobody uses it; nil if time does not lock
    /// it.
    package func timeToLock() -> Duration? {
        schedule.withLock { $0 }?.timeToLock(at: environment.instant())
    }

    /// The lock settings and the lock state: as they are where nobody is with the engine, else as
    /// they were when somebody last was.
    package func lockFactsNow() -> LockFacts? {
        _ = state.withLockIfFree { state in
            guard !state.hasEnded else { return }
            state.refreshUnused()
            publish(state)
        }
        carryOutIfFree()
        return schedule.withLock { $0 }.map { schedule in
            LockFacts(
                settings: schedule.settings,
                state: schedule.state,
                isPasscodeSet: schedule.isPasscodeSet
            )
        }
    }
}

// Calls that were under way when somebody locked.
extension Engine {
    /// How often a call is made again because somebody locked meanwhile.
    private static let attemptLimit = 3

    /// Makes a call, and returns nothing that was opened before a lock that came during the call.
    func unlessLocked(
        _ request: Request,
        _ body: () throws(KeychainError) -> Reply
    ) throws(KeychainError) -> Reply {
        for _ in 0..<Self.attemptLimit {
            let begun = mark.count
            do throws(KeychainError) {
                let reply = try body()
                if mark.count == begun || !request.opensSomething { return reply }
            } catch {
                guard mark.count != begun, error.challenge == nil, request.isRepeatable else {
                    throw error
                }
            }
            if !request.isRepeatable { break }
        }
        throw .lockedMeanwhile
    }
}

extension Request {
    /// Whether the reply may have what a class key opened.
    fileprivate var opensSomething: Bool {
        switch self {
        case .items(.copyMatching), .items(.list), .elementKey(.use), .fileKeys(.open),
            .maintenance(.next), .synchronization(.read), .synchronization(.contents):
            true
        case .items, .elementKey, .authenticate, .device, .maintenance, .fileKeys,
            .synchronization:
            false
        }
    }

    /// Whether making it twice is as good as once.
    fileprivate var isRepeatable: Bool {
        if case .maintenance = self { return false }
        return opensSomething
    }
}
