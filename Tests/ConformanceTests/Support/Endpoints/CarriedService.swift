import CallerEvidence
import Foundation
import Glibc
import KeychainEngine
import KeychainMessages
import KeychainModel
import KeychainServer
import KeychainSimulator
import Secrets

@testable import KeychainDaemon

/// The service of a daemon whose keychains are those of simulated devices.
final class CarriedService: SessionService {
    /// The decisions about each app's calls.
    let decisions = CarriedDecisions()
    let tickets = PromptTickets()
    let kind: EndpointDescription.Kind
    private let fault: CarriedFault?
    private let expected = AdaptiveMutex<CarriedCall?>(nil)
    /// The contexts of a device are the same ones for all of an app's executions.
    private let scopes = AdaptiveMutex<[ObjectIdentifier: ContextScope]>([:])

    init(_ kind: EndpointDescription.Kind, fault: CarriedFault? = nil) {
        self.kind = kind
        self.fault = fault
    }

    /// The next session is this call's.
    func expect(_ call: CarriedCall) { expected.withLock { $0 = call } }

    /// The session has begun, and nothing of its call is kept.
    func expectNobody() { expected.withLock { $0 = nil } }

    func forget(_ engine: Engine) {
        scopes.withLock { _ = $0.removeValue(forKey: ObjectIdentifier(engine)) }
    }

    func begin(
        _ evidence: Evidence,
        answersPrompts: Bool
    ) throws(KeychainError) -> any ProgramSession {
        guard let call = expected.withLock({ $0 }) else {
            throw KeychainError(.internalComponent, "no session is expected")
        }
        let judged = try judged(evidence, call)
        let rights = CarriedRights(call.caller, fault: fault)
        try rights.requireSame(as: call.caller, for: judged, on: call.engine.profiles.system)
        let keychain = AccountKeychain(
            account: evidence.userID,
            engine: call.engine,
            prompts: CarriedPrompts(tickets: tickets),
            rights: rights,
            log: CarriedLog(app: call.app, decisions: decisions)
        )
        let rules = DaemonService.Rules(
            kind: kind == .systemDaemon ? .system : .user,
            ownAccount: evidence.userID,
            profiles: call.engine.profiles,
            judge: { _ in judged }
        )
        let keychains = AccountKeychains { _ throws(KeychainError) in keychain }
        return DaemonSession(rules, keychains, judged, scope: scope(of: call.engine))
    }

    func noteRefusal(_ error: KeychainError, of peer: String, account: UInt32) {
        FileHandle.standardError.write(Data("refused \(peer): \(error)\n".utf8))
    }

    private func scope(of engine: Engine) -> ContextScope {
        scopes.withLock { scopes in
            let key = ObjectIdentifier(engine)
            if let known = scopes[key] { return known }
            let made = ContextScope()
            scopes[key] = made
            return made
        }
    }

    /// As the daemon judges: by a policy with the app's groups for this very program.
    private func judged(
        _ evidence: Evidence,
        _ call: CarriedCall
    ) throws(KeychainError) -> JudgedCaller {
        guard let path = evidence.executable?.path else {
            throw KeychainError(.internalComponent, "the daemon does not see which program this is")
        }
        let policy = ProgramPolicy(
            selector: .program(path),
            level: .nobody,
            applicationIdentifier: nil,
            accessGroups: call.caller.entitlements.keychainAccessGroups,
            source: "the app's manifest"
        )
        let judge = CallerJudge(
            policies: ProgramPolicies([policy]),
            isSeparateAccount: kind == .systemDaemon
        )
        return judge.judge(evidence, accountName: nil)
    }
}

/// A daemon that is wrong, so that a test can see that it would be noticed.
enum CarriedFault: Sendable, Codable {
    /// Every program has the rights of none.
    case noRights
}

/// How often a daemon decided about each app's calls.
final class CarriedDecisions: Sendable {
    private let counts = AdaptiveMutex<[String: Int]>([:])

    func add(_ app: String) { counts.withLock { $0[app, default: 0] += 1 } }

    func count(of app: String) -> Int { counts.withLock { $0[app] ?? 0 } }
}

private struct CarriedLog: DecisionLog {
    let app: String
    let decisions: CarriedDecisions

    func append(_ line: LogLine) { decisions.add(app) }

    func itemDigest(
        _ itemClass: ItemClass,
        _ dictionary: AttributeDictionary,
        isAdd: Bool
    ) -> [UInt8] { [] }
}

/// The rights of the policy with the application groups, which no policy names; and whether the app
/// is in the foreground.
private struct CarriedRights: AccountRights {
    let canPrompt: Bool
    private let applicationGroups: [String]
    private let fault: CarriedFault?

    init(_ caller: Caller, fault: CarriedFault?) {
        canPrompt = caller.canPrompt
        applicationGroups = caller.entitlements.applicationGroups
        self.fault = fault
    }

    func entitlements(of caller: JudgedCaller) -> Entitlements {
        if fault == .noRights { return Entitlements() }
        var entitlements = caller.entitlements
        entitlements.applicationGroups = applicationGroups
        return entitlements
    }

    /// Insists that the daemon sees the app as the device does.
    func requireSame(
        as expected: Caller,
        for judged: JudgedCaller,
        on system: SystemProfile
    ) throws(KeychainError) {
        let found = Caller(
            entitlements: entitlements(of: judged),
            system: system,
            canPrompt: canPrompt
        )
        guard fault != nil || found == expected else {
            throw KeychainError(.internalComponent, "the app has other rights than on its device")
        }
    }

    func answer(
        _ request: DaemonRequest,
        for caller: JudgedCaller
    ) throws(KeychainError) -> DaemonReply {
        throw KeychainError(.unimplemented, "a simulated device keeps neither grants nor a log")
    }
}

extension Caller {
    /// Entitlements that make this caller: a group that is never the default one is a wildcard, the
    /// tokens' group or an application group.
    fileprivate var entitlements: Entitlements {
        guard defaultGroup == nil else { return Entitlements(keychainAccessGroups: accessGroups) }
        let isNamed = { (group: String) in group.hasSuffix("*") || group == Entitlements.tokenGroup
        }
        return Entitlements(
            keychainAccessGroups: accessGroups.filter(isNamed),
            applicationGroups: accessGroups.filter { !isNamed($0) }
        )
    }
}

/// The person in front of the simulated device.
private struct CarriedPrompts: AccountPrompts {
    let tickets: PromptTickets

    func prompter(
        for caller: JudgedCaller,
        answering client: (any ClientPrompting)?,
        isAlive: @escaping @Sendable () -> Bool
    ) -> any Prompter {
        client.map { RedeemingPrompter(client: $0, tickets: tickets) } ?? Nobody()
    }

    func agent(
        _ caller: JudgedCaller,
        _ connection: any AgentConnection
    ) throws(KeychainError) -> any AgentRegistration {
        throw KeychainError(.unimplemented, "a simulated device has no agent")
    }
}

private struct Nobody: Prompter {
    func answer(_ prompt: Prompt) -> PromptAnswer { .impossible }
}
