import CallerEvidence
import KeychainEngine
import KeychainMessages
import KeychainModel
import KeychainServer
import KeychainWire
import Secrets
import Synchronization

/// A program's session: who it is, its contexts and its long work.
final class DaemonSession: ProgramSession {
    private let rules: DaemonService.Rules
    private let keychains: AccountKeychains
    private let caller: JudgedCaller
    private let scope: ContextScope
    private let work = CallerWork()
    /// No other session of this process has it.
    private let number = DaemonSession.count.wrappingAdd(1, ordering: .relaxed).newValue
    /// Whether the program gave the right passcode in this session.
    private let hasProven = ProofMark()
    /// Whether the keychain had records of synchronization when this session asked for them.
    private let hasRecords = ProofMark()
    /// The rights of the call before, which are mostly those of the next one.
    private let known = AdaptiveMutex<Known?>(nil)

    private static let count = Atomic<UInt64>(0)

    private struct Known: Sendable {
        let entitlements: Entitlements
        let caller: Caller
    }

    init(
        _ rules: DaemonService.Rules,
        _ keychains: AccountKeychains,
        _ caller: JudgedCaller,
        scope: ContextScope = ContextScope()
    ) {
        self.scope = scope
        self.rules = rules
        self.keychains = keychains
        self.caller = caller
    }

    private var account: UInt32 { caller.evidence.userID }

    var kind: EndpointDescription.Kind {
        switch rules.kind {
        case .system: .systemDaemon
        case .user: .userDaemon
        }
    }

    var profiles: Profiles { rules.profiles }

    func call(_ request: Request) throws(KeychainError) -> any ProgramCall {
        let keychain = try keychains.keychain(of: account)
        // Nobody closes it before the call has it.
        defer { withExtendedLifetime(keychain) {} }
        let record = CallRecord(request, of: caller, in: keychain.log)
        do throws(KeychainError) {
            try admit(request)
            try requirePasscode(for: request, in: keychain)
            let engineCall = keychain.engine.call(
                try scope.scoped(request),
                from: engineCaller(in: keychain),
                work
            )
            return DaemonCall(
                engineCall,
                request,
                keychain,
                caller,
                record,
                deviceChanged: rules.deviceChanged,
                proved: { [hasProven] in hasProven.set() }
            )
        } catch {
            record.write(error)
            throw error
        }
    }

    func answer(_ request: DaemonRequest) throws(KeychainError) -> DaemonReply {
        switch request {
        case .describeCaller:
            let keychain = try keychains.keychain(of: account)
            defer { withExtendedLifetime(keychain) {} }
            let found = engineCaller(in: keychain)
            return .caller(
                CallerDescription(
                    judged: caller,
                    groups: found.accessGroups,
                    defaultGroup: found.defaultGroup
                )
            )
        case .simulate:
            throw KeychainError(.unimplemented, "this is a daemon, not a simulated device")
        case .move(let step):
            guard caller.isCommand else { throw .onlyCommand(caller) }
            guard let moves = rules.moves else {
                let reason = "this daemon uses the account's own keychain, so nothing moves"
                throw KeychainError(.unimplemented, reason)
            }
            return .move(try moves.perform(step, for: account, by: number))
        case .grants, .grant, .revoke, .log, .verifyLog:
            let keychain = try keychains.keychain(of: account)
            defer { withExtendedLifetime(keychain) {} }
            return try keychain.rights.answer(request, for: caller)
        }
    }

    func becomeAgent(
        _ connection: any AgentConnection
    ) throws(KeychainError) -> any AgentRegistration {
        let keychain = try keychains.keychain(of: account)
        defer { withExtendedLifetime(keychain) {} }
        return try keychain.prompts.agent(caller, connection)
    }

    func end() {
        do throws(KeychainError) { try rules.moves?.abandon(account, by: number) } catch {
            rules.report("an adoption of account \(account) left files: \(error.reason)")
        }
        // A keychain that cannot be opened now has forgotten the contexts already.
        guard let engine = keychains.engines[account] else { return }
        for context in scope.takeAll() {
            _ = try? engine.perform(
                .authenticate(.end(context)),
                from: Caller(entitlements: Entitlements(), system: rules.profiles.system)
            )
        }
    }
}

// Who may do what.
extension DaemonSession {
    private func admit(_ request: Request) throws(KeychainError) {
        // The command alone may back up, restore and check; another program synchronizes.
        if case .maintenance = request, !caller.isCommand { throw .onlyCommand(caller) }
        if case .synchronization = request, !caller.isSynchronizer {
            throw .onlySynchronizer(caller)
        }
        try rules.admit(request, caller)
    }

    /// Demands the passcode, in the same session, before what concerns the items of every group:
    /// every program of the account can run the command.
    private func requirePasscode(
        for request: Request,
        in keychain: AccountKeychain
    ) throws(KeychainError) {
        guard rules.kind == .system, request.isAboutEveryGroup, !hasProven.isSet else { return }
        if try isConsentKept(for: request, in: keychain) { return }
        guard try keychain.engine.isPasscodeSet else {
            let reason =
                "the keychain has no passcode, so the daemon cannot tell you from a program;"
                + " run keychainctl passcode set first"
            throw KeychainError(.authFailed, reason)
        }
        let reason = "this concerns the items of all programs: it needs the passcode first"
        throw KeychainError(.authFailed, reason)
    }

    /// Whether a person consented before: who founded or joined a circle proved the passcode, and
    /// what keeps it in step afterwards runs without anybody.
    ///
    /// The consent is the records of the circle, and ends with them.
    private func isConsentKept(
        for request: Request,
        in keychain: AccountKeychain
    ) throws(KeychainError) -> Bool {
        guard case .synchronization(let request) = request else { return false }
        if !hasRecords.isSet, try hasRecords(keychain) { hasRecords.set() }
        guard hasRecords.isSet else { return false }
        if case .forget = request { hasRecords.clear() }
        return true
    }

    private func hasRecords(_ keychain: AccountKeychain) throws(KeychainError) -> Bool {
        let request = Request.synchronization(.records(prefix: [], after: nil))
        let reply = try keychain.engine.perform(request, from: engineCaller(in: keychain))
        guard case .synchronization(.records(let records, _)) = reply else { return false }
        return !records.isEmpty
    }

    /// The program as the engine knows callers; grants may have changed since the last call.
    private func engineCaller(in keychain: AccountKeychain) -> Caller {
        let entitlements = keychain.rights.entitlements(of: caller)
        return known.withLock { known in
            if let known, known.entitlements == entitlements { return known.caller }
            let made = Caller(
                entitlements: entitlements,
                system: rules.profiles.system,
                canPrompt: keychain.rights.canPrompt
            )
            known = Known(entitlements: entitlements, caller: made)
            return made
        }
    }
}

/// Whether something was proven.
private final class ProofMark: Sendable {
    private let mark = AdaptiveMutex(false)

    var isSet: Bool { mark.withLock { $0 } }

    func set() { mark.withLock { $0 = true } }

    func clear() { mark.withLock { $0 = false } }
}

extension Request {
    /// Whether it takes items of every group out, puts items into any, names them, or hides that
    /// some were changed.
    fileprivate var isAboutEveryGroup: Bool {
        switch self {
        case .maintenance(.begin(.backup)), .maintenance(.begin(.restore)),
            .maintenance(.begin(.passcodeLosses)), .maintenance(.acceptRows):
            true
        case .synchronization(.read), .synchronization(.contents), .synchronization(.apply),
            .synchronization(.forget):
            true
        case .maintenance, .items, .elementKey, .authenticate, .device, .fileKeys,
            .synchronization(.mark), .synchronization(.verify), .synchronization(.records):
            false
        }
    }
}
