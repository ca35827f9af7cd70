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
    let keychain: AccountKeychain
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
        self.keychain = keychain
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

struct NoPrompts: AccountPrompts {
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

/// What programs are identified by.
enum Asker: String, CaseIterable {
    case command = "keychain"
    case synchronizer = "keychain-sync"
    case loginHelper = "keychain-pam"
    case another = "com.example.mailer"
}

extension Request {
    /// The identifier of the program that may ask for it.
    fileprivate var asker: String {
        if case .synchronization = self { return Asker.synchronizer.rawValue }
        return Asker.command.rawValue
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
        let bench = try SessionBench(identifier: request.asker)
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
        let bench = try SessionBench(passcode: nil, identifier: request.asker)
        #expect(bench.unlock("anything") == .success)
        #expect(bench.status(of: request) == .authFailed)
    }

    @Test(arguments: requests, Asker.allCases) func `is for the one program that does it`(
        request: (label: String, Request),
        asker: Asker
    ) throws {
        let bench = try SessionBench(identifier: asker.rawValue)
        #expect(bench.unlock(EngineFixture.passcode) == .success)
        let isAllowed = request.1.asker == asker.rawValue
        #expect((bench.status(of: request.1) == .missingEntitlement) != isAllowed)
    }

    @Test(arguments: requests) func `needs nothing more in a daemon of the account itself`(
        label: String,
        request: Request
    ) throws {
        let bench = try SessionBench(.user, identifier: request.asker)
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

/// What synchronization asks for without a person, once somebody consented.
private let unattended: [(label: String, SynchronizationRequest)] = [
    ("the mark", .mark), ("a read", .read(after: nil, withContent: true)), ("items", .contents([])),
    ("a look at items", .verify([])), ("changes", .apply([], keeping: [])),
    ("records", .records(prefix: [], after: nil)),
]

@Suite struct `Synchronization with a daemon of the machine` {
    private let bench: SessionBench

    init() throws {
        bench = try SessionBench(identifier: Asker.synchronizer.rawValue)
        try bench.fixture.unlock()
    }

    private func status(
        _ request: SynchronizationRequest,
        inOther: Bool = false
    ) -> SecurityStatus {
        bench.status(of: .synchronization(request), inOther: inOther)
    }

    /// What a circle leaves in the keychain.
    private static let record = SyncRecord(key: [1], value: [2])

    @Test(arguments: unattended) func `needs no person any more where somebody proved the passcode`(
        label: String,
        request: SynchronizationRequest
    ) throws {
        #expect(bench.unlock(EngineFixture.passcode) == .success)
        #expect(status(.apply([], keeping: [Self.record])) == .success)
        #expect(status(request, inOther: true) == .success)
    }

    @Test func `begins with the passcode, also for records alone`() throws {
        #expect(status(.apply([], keeping: [Self.record])) == .authFailed)
        #expect(status(.records(prefix: [], after: nil)) == .success)
        #expect(status(.read(after: nil, withContent: false)) == .authFailed)
    }

    @Test func `needs the passcode again after the keychain forgot its circle`() throws {
        #expect(bench.unlock(EngineFixture.passcode) == .success)
        #expect(status(.apply([], keeping: [Self.record])) == .success)
        #expect(status(.read(after: nil, withContent: false), inOther: true) == .success)
        #expect(status(.forget, inOther: true) == .success)
        #expect(status(.read(after: nil, withContent: false), inOther: true) == .authFailed)
        #expect(status(.apply([], keeping: [Self.record]), inOther: true) == .authFailed)
    }

    @Test func `waits for an unlocked keychain`() throws {
        #expect(bench.unlock(EngineFixture.passcode) == .success)
        #expect(status(.apply([], keeping: [Self.record])) == .success)
        #expect(bench.status(of: .device(.lock)) == .success)
        let read = SynchronizationRequest.read(after: nil, withContent: true)
        #expect(status(read, inOther: true) == .interactionNotAllowed)
    }
}

@Suite(.requirement("DMN-14")) struct `A call that comes when its keychain was closed` {
    private let bench: SessionBench

    init() throws { bench = try SessionBench() }

    @Test func `is told to come again, and not that a process ends`() throws {
        let call = try bench.session.call(.device(.status))
        bench.keychain.end()
        let late = #expect(throws: KeychainError.self) { try call.proceed(nil) }
        #expect(late == AccountKeychain.closed)
    }

    @Test func `is told so before it begins, too`() throws {
        try bench.fixture.unlock()
        let unlock = Request.device(.unlock(passcode: EngineFixture.secret("words")))
        bench.keychain.end()
        let error = #expect(throws: KeychainError.self) {
            let call = try bench.session.call(unlock)
            _ = try call.proceed(nil)
        }
        #expect(error == AccountKeychain.closed)
    }
}
