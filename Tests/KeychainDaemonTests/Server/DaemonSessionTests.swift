import CallerEvidence
import EngineTestSupport
import KeychainEngine
import KeychainMessages
import KeychainModel
import KeychainServer
import KeychainWire
import TestSupport
import Testing

@testable import KeychainDaemon

/// A program's session with a daemon, and the keychain behind it.
struct SessionBench {
    let fixture: EngineFixture
    let session: DaemonSession
    /// Another session of the same program.
    let other: DaemonSession

    init(
        _ kind: DaemonKind = .system,
        passcode: String? = EngineFixture.passcode,
        identifier: String? = "keychain",
        log: any DecisionLog = NoLog()
    ) throws {
        let fixture = try EngineFixture(passcode: passcode)
        self.fixture = fixture
        let keychain = AccountKeychain(
            account: 1000,
            engine: fixture.engine,
            prompts: NoPrompts(),
            rights: PolicyRights(),
            log: log
        )
        let evidence = Evidence(userID: 1000, processID: 4711)
        let caller = JudgedCaller(
            evidence: evidence,
            level: .verified,
            reasons: [],
            name: "/usr/bin/program",
            entitlements: Entitlements(applicationIdentifier: identifier)
        )
        let rules = DaemonService.Rules(
            kind: kind,
            ownAccount: 1000,
            profiles: fixture.engine.profiles,
            judge: { _ in caller }
        )
        let keychains = AccountKeychains { _ throws(KeychainError) in keychain }
        session = DaemonSession(rules, keychains, caller)
        other = DaemonSession(rules, keychains, caller)
    }

    /// Carries a request out.
    ///
    /// - Returns: The status that it fails with.
    @discardableResult
    func status(of request: Request, inOther: Bool = false) -> SecurityStatus {
        let session = inOther ? other : session
        do throws(KeychainError) {
            let call = try session.call(request)
            do throws(KeychainError) {
                _ = try call.proceed(nil)
                _ = call.finish(nil)
                return .success
            } catch {
                _ = call.finish(error)
                throw error
            }
        } catch { return error.status }
    }

    func unlock(_ passcode: String) -> SecurityStatus {
        status(of: .device(.unlock(passcode: EngineFixture.secret(passcode))))
    }
}

private struct NoPrompts: AccountPrompts {
    private struct Nobody: Prompter {
        func answer(_ prompt: Prompt) -> PromptAnswer { .impossible }
    }

    func prompter(
        for caller: JudgedCaller,
        answering client: (any ClientPrompting)?,
        isAlive: @escaping @Sendable () -> Bool
    ) -> any Prompter { Nobody() }

    func agent(
        _ caller: JudgedCaller,
        _ connection: any AgentConnection
    ) throws(KeychainError) -> any AgentRegistration {
        throw KeychainError(.unimplemented, "no agent here")
    }
}

/// What concerns the items of all programs.
private let requests: [(label: String, Request)] = [
    ("a backup", .maintenance(.begin(.backup(password: EngineFixture.secret("words"))))),
    ("a restore", .maintenance(.begin(.restore(password: EngineFixture.secret("words"))))),
    ("the list of losses", .maintenance(.begin(.passcodeLosses))),
    ("accepting the rows", .maintenance(.acceptRows)),
    ("reading what devices exchange", .synchronization(.read(after: nil, withContent: true))),
    ("putting in what others changed", .synchronization(.apply([], keeping: []))),
    ("leaving the other devices", .synchronization(.forget)),
]

@Suite(.requirement("DMN-06")) struct `What concerns the items of all programs` {
    @Test(arguments: requests) func `needs the passcode in the same session`(
        label: String,
        request: Request
    ) throws {
        let bench = try SessionBench()
        try bench.fixture.unlock()
        #expect(bench.status(of: request) == .authFailed)
        #expect(bench.unlock("wrong") == .authFailed)
        #expect(bench.status(of: request) == .authFailed)
        #expect(bench.unlock(EngineFixture.passcode) == .success)
        #expect(bench.status(of: request) == .success)
    }

    @Test(arguments: requests) func `is refused where there is no passcode to prove`(
        label: String,
        request: Request
    ) throws {
        let bench = try SessionBench(passcode: nil)
        #expect(bench.unlock("anything") == .success)
        #expect(bench.status(of: request) == .authFailed)
    }

    @Test(arguments: requests) func `is the command's alone`(
        label: String,
        request: Request
    ) throws {
        let bench = try SessionBench(identifier: "com.example.mailer")
        #expect(bench.unlock(EngineFixture.passcode) == .success)
        #expect(bench.status(of: request) == .missingEntitlement)
    }

    @Test(arguments: requests) func `needs nothing more in a daemon of the account itself`(
        label: String,
        request: Request
    ) throws {
        let bench = try SessionBench(.user)
        try bench.fixture.unlock()
        #expect(bench.status(of: request) == .success)
    }

    @Test func `is not proven by another session of the same program`() throws {
        let bench = try SessionBench()
        #expect(bench.unlock(EngineFixture.passcode) == .success)
        #expect(bench.status(of: requests[0].1, inOther: true) == .authFailed)
    }

    @Test func `does not include a check, which names nothing that is whole`() throws {
        let bench = try SessionBench()
        #expect(bench.status(of: .maintenance(.begin(.check(.everything)))) == .success)
    }
}
