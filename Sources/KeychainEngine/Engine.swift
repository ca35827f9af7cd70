import DataProtection
import KeychainMessages
import KeychainModel
import Secrets
import Synchronization

/// The part that carries out requests: it parses and authorizes each, then works under one lock.
///
/// Nothing waits for a user, a socket or a timer while it holds the lock.
package final class Engine: Sendable {
    /// The profiles that select the engine's rules.
    package let profiles: Profiles
    let environment: EngineEnvironment
    /// The storage in which attempts at the passcode take turns, without the engine's lock.
    let storage: any DeviceStorage
    let state: ReadWriteLock<EngineState>
    /// The storage that shares an unlocked session with other processes; nil to share nothing.
    let sessions: (any SessionImageStorage)?
    /// The contexts that have ended, including those that end during a call.
    let contextEnds: ContextEnds
    /// The limit for all incoming backups together; nil for no limit.
    let spoolRoom: SpoolRoom?
    /// The number of attempts at the passcode in progress.
    let attemptCount = Atomic(0)
    /// The mark of a requested lock, in front of the lock of `state`.
    let mark: LockMark
    /// The schedule of locks by time, as the last thread with exclusive access published it.
    let schedule: AdaptiveMutex<LockSchedule?>

    /// Takes over an open device and an open store.
    package init(
        device: consuming sending Device,
        store: consuming sending ItemStore,
        environment: EngineEnvironment,
        profiles: Profiles
    ) throws(KeychainError) {
        var opened = try EngineState(
            device: device,
            store: store,
            environment: environment,
            profiles: profiles
        )
        try opened.resumeErasure()
        try opened.settleKeySet()
        try opened.takeOverKeySet()
        opened.finishPasscodeRemoval()
        try opened.vault.takeOverRows(&opened.session)
        opened.vault.store.truncateLeftLog()
        let mark = LockMark()
        opened.vault.giveUp(at: mark)
        self.spoolRoom = SpoolRoom(opened.vault.store.connection.byteLimit)
        self.mark = mark
        self.schedule = AdaptiveMutex(opened.session.device.lockSchedule)
        self.profiles = profiles
        self.environment = environment
        self.storage = opened.session.device.storage
        self.sessions = opened.session.device.sharedSessions
        self.contextEnds = opened.session.contextEnds
        self.state = ReadWriteLock(opened)
    }

    /// Releases caches that only speed up later calls: connections and pages of rows.
    ///
    /// It does nothing while a thread uses the engine, which needs them.
    package func releaseMemory() {
        _ = state.withLockIfFree { state in
            state.vault.readers?.closeIdle()
            state.vault.store.releasePages()
        }
        carryOutIfFree()
    }

    /// Makes a call, and repeats it with the surroundings or a stretched password if it needs them.
    ///
    /// Most calls do not. Both can take long, so neither happens under a lock.
    func inRounds<R>(
        _ conversation: Conversation,
        _ body: (Conversation) throws(KeychainError) -> R
    ) throws(KeychainError) -> R {
        var next = conversation
        while true {
            do throws(KeychainError) { return try body(next) } catch {
                if error.isAboutSurroundings, next.surroundings == nil {
                    next.surroundings = environment.surroundings()
                } else if let pending = error.stretching {
                    try WaitingClient.outsideTurn { () throws(KeychainError) in
                        try stretch(pending, in: &next)
                    }
                } else {
                    throw error
                }
            }
        }
    }

    /// A parsed and authorized request: its answer, or the work that remains.
    enum Prepared<Value> {
        case done(Value)
        case work((inout EngineState, inout [Finding]) throws(KeychainError) -> Value)
    }

    /// Parses and authorizes a request, works under the lock, and then reports the findings.
    func serve<Value>(
        _ verb: Finding.Verb,
        _ dictionary: AttributeDictionary,
        _ caller: Caller,
        _ prepare: (inout QueryParser, Authorizer) throws(KeychainError) -> Prepared<Value>
    ) throws(KeychainError) -> Value {
        var parser = QueryParser(verb, profiles: profiles)
        var findings: [Finding] = []
        defer { for finding in parser.findings + findings { environment.note(finding) } }
        do throws(KeychainError) {
            let authorizer = try Authorizer(caller, on: profiles.system)
            switch try prepare(&parser, authorizer) {
            case .done(let reply): return reply
            case .work(let work):
                return try enter { state throws(KeychainError) in try work(&state, &findings) }
            }
        } catch {
            // A challenge or a request for the surroundings is not a refusal: the next round will
            // report the same findings again.
            if error.wantsAnotherRound {
                findings = []
                parser = QueryParser(verb, profiles: profiles)
                throw error
            }
            findings.append(
                Finding(
                    .refusal,
                    verb: verb,
                    item: dictionary.itemName,
                    status: error.status,
                    detail: explanation(of: error, caller)
                )
            )
            throw error
        }
    }

    /// Returns the reason; if lock state or context refuses, also what both are now.
    private func explanation(of error: KeychainError, _ caller: Caller) -> String {
        guard error.status == .interactionNotAllowed, let state = try? lockState().state else {
            return error.reason
        }
        let prompt = caller.canPrompt ? "in the foreground" : "in the background"
        // A test unlocks a simulated device; a person or a credential unlocks this machine.
        let helps = profiles.system == .host && state != .unlocked
        let hint =
            helps
            ? " Run keychainctl unlock-keychain; without a user, add --unlock-with, or"
                + " set KEYCHAIN_UNLOCK_WITH." : ""
        return "\(error.reason); the device \(state.words), and the program is \(prompt).\(hint)"
    }

    /// Reports a finding that no program's request caused.
    func note(_ rule: DiagnosticRule, _ verb: Finding.Verb, _ item: String, detail: String) {
        environment.note(
            Finding(rule, verb: verb, item: item, status: .success, detail: detail)
        )
    }

    /// Wipes class keys, metadata keys and proofs, because the process ends.
    ///
    /// Calls of other threads are refused from now on. If one of them works for longer than a tenth
    /// of a second, or ends the process itself, the keys stay until the process ends.
    package func end() { state.withLockSoon { $0.end() } }

    /// Works with exclusive access, and sends announcements after it releases the lock.
    ///
    /// - Parameters:
    ///   - allowed: An authorized change of passcode, which also shows that the device was in use.
    ///   - body: The work.
    /// - Returns: The result of `body`.
    /// - Throws: The errors of following the device, and of `body`.
    package func enter<R>(
        using allowed: AllowedChange? = nil,
        _ body: (inout EngineState) throws(KeychainError) -> R
    ) throws(KeychainError) -> R {
        try work { state throws(KeychainError) in try serve(&state, using: allowed, body) }
    }

    /// Publishes the use first, so that an expired timer does not make the new call give up.
    private func serve<R>(
        _ state: inout EngineState,
        using allowed: AllowedChange? = nil,
        _ body: (inout EngineState) throws(KeychainError) -> R
    ) throws(KeychainError) -> R {
        try state.serve(using: allowed) { state throws(KeychainError) in
            publish(state)
            return try body(&state)
        }
    }

    /// Works like `enter` for work without a user, such as synchronization.
    ///
    /// It does not count as use, so an unused keychain still locks.
    func enterUnused<R>(
        _ body: (inout EngineState) throws(KeychainError) -> R
    ) throws(KeychainError) -> R {
        try work { state throws(KeychainError) in
            state.session.device.countsUse = false
            defer { state.session.device.countsUse = true }
            return try serve(&state, body)
        }
    }

    /// Works with exclusive access even if the state cannot be brought up to date.
    ///
    /// So a fault of the files does not prevent the device from locking.
    func enterToLock<R>(
        _ body: (inout EngineState) throws(KeychainError) -> R
    ) throws(KeychainError) -> R {
        try work { state throws(KeychainError) in
            try? state.refresh()
            return try body(&state)
        }
    }

    /// Returns, once, the faults outside the purpose of the calls so far.
    func takeWarnings() throws(KeychainError) -> [KeychainError] {
        try work { state throws(KeychainError) in state.session.takeWarnings() }
    }

    /// Returns the faults like `takeWarnings`; none while another thread uses the engine.
    func takeWarningsIfFree() -> [KeychainError] {
        var warnings: [KeychainError] = []
        _ = state.withLockIfFree { state in
            if !state.hasEnded { warnings = state.session.takeWarnings() }
        }
        carryOutIfFree()
        return warnings
    }

    /// Works with exclusive access to the state as it is; does not count as use.
    func work<R>(
        _ body: (inout EngineState) throws(KeychainError) -> R
    ) throws(KeychainError) -> R {
        var announcements: [DeviceAnnouncement] = []
        var told: [ToldLock] = []
        var causes: [LockCause] = []
        defer {
            for cause in causes { environment.locked(cause) }
            for announcement in announcements { environment.announce(announcement) }
            for lock in told { lock.tell() }
            carryOutIfFree()
        }
        return try state.withLock { state throws(KeychainError) in
            if mark.isSet { told = carryOut(&state) }
            guard !state.hasEnded else {
                throw KeychainError(.notAvailable, "the process is ending")
            }
            defer {
                announcements = state.session.takeAnnouncements()
                causes = state.session.device.takeLockCauses()
                publish(state)
            }
            state.vault.store.connection.interruption.begin()
            return try body(&state)
        }
    }

    /// Reads in parallel with other readers; returns nil if `body` needs exclusive access or a
    /// lock is requested.
    func readBeside<R>(
        _ body: (borrowing EngineState) throws(KeychainError) -> R?
    ) throws(KeychainError) -> R? {
        defer { carryOutIfFree() }
        return try state.withSharedLock { state throws(KeychainError) -> R? in
            guard !state.hasEnded, !mark.isSet else { return nil }
            return try body(state)
        }
    }
}

extension LockState {
    /// The state as the verb of a sentence about the device.
    fileprivate var words: String {
        switch self {
        case .beforeFirstUnlock: "has not been unlocked since it started"
        case .locked: "is locked"
        case .unlocked: "is unlocked"
        }
    }
}
