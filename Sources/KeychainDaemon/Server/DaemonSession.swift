import CallerEvidence
import KeychainEngine
import KeychainMessages
import KeychainModel
import KeychainServer
import KeychainWire
import Secrets
import Synchronization

/// A program's session: its identity, its contexts and its long work.
final class DaemonSession: ProgramSession {
    let rules: DaemonService.Rules
    private let keychains: AccountKeychains
    let caller: JudgedCaller
    private let scope: ContextScope
    private let work = CallerWork()
    /// A number that no other session of this process has.
    private let number = DaemonSession.count.wrappingAdd(1, ordering: .relaxed).newValue
    let proofs = SessionProofs()
    /// The rights in the previous call, which rarely change.
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
        // Until the call has it, this reference prevents closing it.
        defer { withExtendedLifetime(keychain) {} }
        let record = CallRecord(request, of: caller, in: keychain.log)
        do throws(KeychainError) {
            try requireRight(to: request, in: keychain)
            let facts = request.verb.facts
            if facts.change.touches { try rules.moves?.willTouch(account) }
            let before = request.provesPasscode ? try keychain.engine.proofStamp() : nil
            let engineCall = keychain.engine.call(
                try scope.scoped(request),
                from: engineCaller(in: keychain),
                work
            )
            var terms = DaemonCall.Terms(deviceChanged: rules.deviceChanged)
            terms.unlocked = { [proofs] in
                if let before { proofs.noteUnlock(of: keychain, since: before) }
            }
            if facts.change.touches {
                terms.touched = { [rules, account] in rules.moves?.didTouch(account) }
            }
            if case .device(.setLockSettings) = request {
                terms.recheck = { [self] () throws(KeychainError) in
                    try requireRight(to: request, in: keychain)
                }
            }
            return DaemonCall(engineCall, request, keychain, caller, record, terms)
        } catch {
            let error = keychain.explaining(error)
            record.write(error)
            throw error
        }
    }

    func answer(_ request: DaemonRequest) throws(KeychainError) -> DaemonReply {
        let facts = request.verb.facts
        let record = DeedRecord(request, of: caller)
        // A move may close the keychain, or replace it.
        let log = keychains.logOfOpen(account)
        do throws(KeychainError) {
            try requireAsker(facts.asker)
            let reply = try carryOut(request, facts)
            if facts.change == .keychain { _ = try? keychains.keychain(of: account) }
            record.write(nil, to: keychains.logOfOpen(account) ?? log)
            return reply
        } catch {
            // A refusal gets a line even if it is the account's first request.
            if error.status == .missingEntitlement { _ = try? keychains.keychain(of: account) }
            record.write(error, to: keychains.logOfOpen(account) ?? log)
            keychains.opened[account]?.noteDelay(after: error)
            throw error
        }
    }

    private func carryOut(
        _ request: DaemonRequest,
        _ facts: RequestFacts
    ) throws(KeychainError) -> DaemonReply {
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
            guard let moves = rules.moves else {
                let reason = "this daemon uses the account's own keychain, so nothing moves"
                throw KeychainError(.unimplemented, reason)
            }
            return .move(try moves.perform(step, for: account, by: number))
        case .grants, .grant, .revoke, .log, .verifyLog:
            let keychain = try keychains.keychain(of: account)
            defer { withExtendedLifetime(keychain) {} }
            if facts.change.touches { try rules.moves?.willTouch(account) }
            defer { if facts.change.touches { rules.moves?.didTouch(account) } }
            return try keychain.rights.answer(request, for: caller)
        }
    }

    func becomeAgent(
        _ connection: any AgentConnection
    ) throws(KeychainError) -> any AgentRegistration {
        let keychain = try keychains.keychain(of: account)
        defer { withExtendedLifetime(keychain) {} }
        do throws(KeychainError) { return try keychain.prompts.agent(caller, connection) } catch {
            DeedRecord(.daemon(.showPrompts), of: caller).write(error, to: keychain.log)
            throw error
        }
    }

    func end() {
        do throws(KeychainError) { try rules.moves?.abandon(account, by: number) } catch {
            rules.report("an adoption of account \(account) left files: \(error.reason)", account)
        }
        // A keychain that is not open has already forgotten the contexts.
        guard let engine = keychains.engines[account] else { return }
        for context in scope.takeAll() {
            _ = try? engine.perform(
                .authenticate(.end(context)),
                from: Caller(entitlements: Entitlements(), system: rules.profiles.system)
            )
        }
    }
}

extension DaemonSession {
    /// Returns the program as an engine's caller; grants may have changed since the last call.
    func engineCaller(in keychain: AccountKeychain) -> Caller {
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

extension Request {
    /// Whether its success proves the passcode, if one is set.
    fileprivate var provesPasscode: Bool {
        if case .device(.unlock) = self { true } else { false }
    }
}
