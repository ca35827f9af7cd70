import DataProtection
import KeychainMessages
import KeychainModel

// A lock in two steps: a mark that waits for nothing, and the lock itself as soon as a thread has
// exclusive access to the engine.
//
// Source: Documentation/Spec/locking.md §6.
extension Engine {
    /// Requests a lock, and returns at once.
    ///
    /// From now on no call returns data that it opened before, and no new call opens anything.
    /// - Parameters:
    ///   - request: The kind of lock.
    ///   - done: Called once when the lock is carried out, on any thread, without a lock held.
    package func markLock(
        _ request: LockRequest,
        done: @escaping @Sendable (LockOutcome) -> Void = { _ in }
    ) { mark.set(request, done) }

    /// Carries out the requested locks if no thread uses the engine.
    ///
    /// Otherwise the thread in the engine carries them out when it leaves. It also gives up for a
    /// lock by time, if its call began before that time. This function waits only for the disk.
    ///
    /// A lock that does not depend on time is recorded first in any case. So the shared session
    /// opens nothing more, even if this process is killed before the other thread leaves.
    /// - Returns: Whether the lock is recorded, while a thread that uses the engine has yet to wipe
    ///   the keys.
    @discardableResult
    package func carryOutLocks() -> Bool {
        if carryOutIfFree() { return false }
        // Every call publishes its use when it begins.
        if !mark.interrupts, timeToLock() == .zero {
            mark.hurry()
            carryOutIfFree()
            return false
        }
        guard mark.isUnconditional, schedule.withLock({ $0 })?.state != .beforeFirstUnlock else {
            return false
        }
        var isRecorded = true
        if let sessions {
            do throws(DeviceError) {
                try Device.lockUnopened(
                    storage,
                    sessions: sessions,
                    random: environment.random,
                    at: environment.instant()
                )
            } catch { isRecorded = false }
        }
        return !carryOutIfFree() && isRecorded
    }

    /// Locks, and returns when no call returns anything more that the keys open.
    ///
    /// It waits for no call of another thread: if one uses the engine, the lock is recorded, and
    /// the keys are wiped when that call has given up.
    /// - Throws: The error that prevents the lock from being recorded; the keys are wiped all the
    ///   same.
    func lockAndWait(_ request: LockRequest) throws(KeychainError) {
        let outcome = Monitor<LockOutcome?>(nil)
        markLock(request) { found in outcome.change { $0 = found } }
        if carryOutLocks() { return }
        if case .unrecorded(let error)? = outcome.wait(lookingEvery: .seconds(60), { $0 }) {
            throw error
        }
    }

    /// Carries out the requested locks while no thread uses the engine.
    ///
    /// - Returns: False if a thread uses it; that thread then carries them out.
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

    /// Carries out the requested locks; the caller must have exclusive access to the state.
    ///
    /// - Returns: The listeners to notify once the state is free.
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
        // The process has wiped the keys permanently.
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

    /// Publishes the schedule of locks by time for threads without the engine's lock.
    func publish(_ state: borrowing EngineState) {
        let present = state.session.device.lockSchedule
        schedule.withLock { $0 = present }
    }
}

extension EngineState {
    /// Locks: first wipes this process's keys, even if it cannot read the files.
    fileprivate mutating func lockNow() throws(KeychainError) {
        withSessionNow { session in session.device.evictNow(at: session.environment.instant()) }
        refreshUnused()
        try withSession { session throws(KeychainError) in try session.lock(grace: .zero) }
    }

    /// Reads the files as far as possible; it does not count as use.
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

    /// Locks if idle time, time of day or a grace period requires it now; never counts as use.
    mutating func lockIfDue() throws(KeychainError) {
        try withSession { session throws(KeychainError) in
            try session.change { device, now throws(DeviceError) in try device.lockIfDue(at: now) }
        }
    }
}

// The facts about locks by time or at sleep, without waiting for the thread in the engine.
extension Engine {
    /// Returns the time until the unused keychain has to lock; nil if time does not lock it.
    package func timeToLock() -> Duration? {
        schedule.withLock { $0 }?.timeToLock(at: environment.instant())
    }

    /// Returns the lock settings and the lock state.
    ///
    /// If a thread uses the engine, they are those that the last thread to use it published.
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

// Calls that were in progress when the keychain was locked.
extension Engine {
    /// The most attempts at a call that a lock interrupts.
    private static let attemptLimit = 3

    /// Makes a call, and returns nothing that was opened before a lock during the call.
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
    /// Whether the reply may contain data that a class key opened.
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

    /// Whether the request can be made twice without a different effect.
    fileprivate var isRepeatable: Bool {
        if case .maintenance = self { return false }
        return opensSomething
    }
}
