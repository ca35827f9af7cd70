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
    private struct Expected: Sendable {
        let call: CarriedCall
        let way: Way
    }

    private let kind: EndpointDescription.Kind
    private let expected = AdaptiveMutex<Expected?>(nil)
    /// The contexts of a device are the same ones for all of an app's executions.
    private let scopes = AdaptiveMutex<[ObjectIdentifier: ContextScope]>([:])

    init(_ kind: EndpointDescription.Kind) { self.kind = kind }

    /// The next session is this call's.
    func expect(_ call: CarriedCall, _ way: Way) {
        expected.withLock { $0 = Expected(call: call, way: way) }
    }

    func begin(
        _ evidence: Evidence,
        answersPrompts: Bool
    ) throws(KeychainError) -> any ProgramSession {
        guard let expected = expected.withLock({ $0 }) else {
            throw KeychainError(.notAvailable, "no session is expected")
        }
        let call = expected.call
        let keychain = AccountKeychain(
            account: evidence.userID,
            engine: call.engine,
            prompts: CarriedPrompts(way: expected.way),
            rights: CarriedRights(canPrompt: call.caller.canPrompt),
            log: NoLog()
        )
        let judged = try judged(evidence, call)
        let rules = DaemonService.Rules(
            kind: kind == .systemDaemon ? .system : .user,
            ownAccount: evidence.userID,
            profiles: call.engine.profiles,
            judge: { _ in judged }
        )
        let keychains = AccountKeychains { _ throws(KeychainError) in keychain }
        let scope = scopes.withLock { scopes in
            let key = ObjectIdentifier(call.engine)
            if let known = scopes[key] { return known }
            let made = ContextScope()
            scopes[key] = made
            return made
        }
        return DaemonSession(rules, keychains, judged, scope: scope)
    }

    func noteRefusal(_ error: KeychainError, of peer: String) {
        FileHandle.standardError.write(Data("refused \(peer): \(error)\n".utf8))
    }

    /// As the daemon judges: by a policy with the app's groups for this very program; or, for an
    /// account's own daemon, as if that policy had applied.
    private func judged(
        _ evidence: Evidence,
        _ call: CarriedCall
    ) throws(KeychainError) -> JudgedCaller {
        let groups = call.caller.accessGroups
        guard kind == .systemDaemon, let path = evidence.executable?.path else {
            return JudgedCaller(
                evidence: evidence,
                level: .observed,
                reasons: [],
                name: call.app,
                entitlements: Entitlements(keychainAccessGroups: groups)
            )
        }
        let policy = ProgramPolicy(
            selector: .program(path),
            level: .nobody,
            applicationIdentifier: nil,
            accessGroups: groups,
            source: "the app's manifest"
        )
        return CallerJudge(policies: ProgramPolicies([policy]), isSeparateAccount: true)
            .judge(evidence, accountName: nil)
    }
}

/// The rights of the policy, and whether the app is in the foreground.
private struct CarriedRights: AccountRights {
    let canPrompt: Bool

    func entitlements(of caller: JudgedCaller) -> Entitlements { caller.entitlements }

    func answer(
        _ request: DaemonRequest,
        for caller: JudgedCaller
    ) throws(KeychainError) -> DaemonReply {
        throw KeychainError(.unimplemented, "a simulated device keeps neither grants nor a log")
    }
}

/// The person in front of the simulated device.
private struct CarriedPrompts: AccountPrompts {
    let way: Way

    func prompter(
        for caller: JudgedCaller,
        answering client: (any ClientPrompting)?,
        isAlive: @escaping @Sendable () -> Bool
    ) -> any Prompter {
        way.prompters.withLock { $0.last } ?? Nobody()
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
