import DataProtection
import KeychainMessages
import KeychainModel
import Secrets
import Synchronization

/// Carries out requests: parses and authorizes each, then works under one lock.
///
/// Nothing waits for a user, a socket or a timer while it holds the lock.
package final class Engine: Sendable {
    /// Which rules apply.
    package let profiles: Profiles
    let environment: EngineEnvironment
    /// Where one attempt at the passcode waits for another, with no lock of the engine held.
    let storage: any DeviceStorage
    let state: ReadWriteLock<EngineState>
    /// Where what was unlocked is shared; nil for nowhere.
    let sessions: (any SessionImageStorage)?
    /// Which contexts have ended, also during a call.
    let contextEnds: ContextEnds
    /// What backups on their way in may take; nil for as much as there is.
    let spoolRoom: SpoolRoom?
    /// How many attempts at the passcode are under way.
    let attemptCount = Atomic(0)
    /// That a lock was asked for, in front of the lock of `state`.
    let mark: LockMark
    /// What a lock by time depends on, as it was when somebody last had the state for itself.
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

    /// Gives back what is only kept to make the next calls faster: connections and pages of rows.
    ///
    /// Whoever is with the engine needs them.
    package func releaseMemory() {
        _ = state.withLockIfFree { state in
            state.vault.readers?.closeIdle()
            state.vault.store.releasePages()
        }
        carryOutIfFree()
    }

    /// Makes a call, and makes it again with the surroundings, or with what a password was
    /// stretched into, if it needs them.
    ///
    /// Most calls do not need them. Both may take long, so no lock is held meanwhile.
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
            // A question is no refusal yet, nor is a look around: what was noticed will be noticed
            // again.
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

    /// The reason, and where lock state or context refuses, both as they are by now.
    private func explanation(of error: KeychainError, _ caller: Caller) -> String {
        guard error.status == .interactionNotAllowed, let state = try? lockState().state else {
            return error.reason
        }
        let prompt = caller.canPrompt ? "in the foreground" : "in the background"
        // A simulated device is unlocked by its test, this machine by a person or a credential.
        let helps = profiles.system == .host && state != .unlocked
        let hint =
            helps
            ? " Run keychainctl unlock-keychain; without a user, add --unlock-with, or"
                + " set KEYCHAIN_UNLOCK_WITH." : ""
        return "\(error.reason); the device is \(state.words) and the program \(prompt).\(hint)"
    }

    /// Tells of something that no request of a program has met.
    func note(_ rule: DiagnosticRule, _ verb: Finding.Verb, _ item: String, detail: String) {
        environment.note(
            Finding(rule, verb: verb, item: item, status: .success, detail: detail)
        )
    }

    /// Wipes class keys, metadata keys and proofs, because the process ends.
    ///
    /// Other threads' calls are refused from here on. If one of them is at work for longer than a
    /// tenth of a second, or ends the process itself, the keys stay to the end.
    package func end() { state.withLockSoon { $0.end() } }

    /// Works with exclusive access; announcements go out when the lock is free.
    ///
    /// - Parameters:
    ///   - allowed: A change of passcode that goes on: the device was in use since it was allowed.
    ///   - body: The work.
    /// - Returns: What the body returns.
    /// - Throws: What following the device, or the body, throws.
    package func enter<R>(
        using allowed: AllowedChange? = nil,
        _ body: (inout EngineState) throws(KeychainError) -> R
    ) throws(KeychainError) -> R {
        try work { state throws(KeychainError) in try serve(&state, using: allowed, body) }
    }

    /// Shows the use first: a clock does not let whoever just came give up.
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

    /// The same for what no person does, such as synchronization: it does not count as use, so that
    /// a keychain that nobody uses locks all the same.
    func enterUnused<R>(
        _ body: (inout EngineState) throws(KeychainError) -> R
    ) throws(KeychainError) -> R {
        try work { state throws(KeychainError) in
            state.session.device.countsUse = false
            defer { state.session.device.countsUse = true }
            return try serve(&state, body)
        }
    }

    /// Works with the state alone, also where it cannot be brought up to date: nothing that went
    /// wrong with the files keeps the device from being locked.
    func enterToLock<R>(
        _ body: (inout EngineState) throws(KeychainError) -> R
    ) throws(KeychainError) -> R {
        try work { state throws(KeychainError) in
            try? state.refresh()
            return try body(&state)
        }
    }

    /// What did not work beside the purpose of the calls so far, once.
    func takeWarnings() throws(KeychainError) -> [KeychainError] {
        try work { state throws(KeychainError) in state.session.takeWarnings() }
    }

    /// Works with the state as it is, and does not count as use.
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

    /// Reads beside others; nil where the body needs the state for itself, or somebody locks.
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
    /// The state as a sentence says it.
    fileprivate var words: String {
        switch self {
        case .beforeFirstUnlock: "not unlocked since it started"
        case .locked: "locked"
        case .unlocked: "unlocked"
        }
    }
}
