import EngineTestSupport
import Foundation
import KeychainHost
import KeychainMessages
import KeychainModel
import ModelTestSupport
import Secrets
import TestSupport
import Testing

@testable import KeychainEngine

/// The requests of maintenance, one by one.
private struct Maintenance {
    let endpoint: EngineEndpoint

    init(_ fixture: EngineFixture) { endpoint = fixture.keychain.endpoint }

    func begin(_ work: MaintenanceWork) throws -> WorkID {
        guard case .begun(let id) = try endpoint.send(.begin(work)) else {
            throw KeychainError.unexpectedReply
        }
        return id
    }

    func next(_ id: WorkID) throws -> WorkPortion {
        guard case .portion(let portion) = try endpoint.send(.next(id)) else {
            throw KeychainError.unexpectedReply
        }
        return portion
    }

    func status(_ request: MaintenanceRequest) -> SecurityStatus {
        do throws(KeychainError) {
            _ = try endpoint.send(request)
            return .success
        } catch { return error.status }
    }

    /// Every portion to the end.
    func rest(of id: WorkID) throws -> [WorkPortion] {
        var portions = [try next(id)]
        while portions.last?.outcome == nil { portions.append(try next(id)) }
        return portions
    }
}

@Suite struct `Work in portions` {
    private static let tape = EngineFixture.secret("tape")
    private static let works: [MaintenanceWork] = [
        .backup(password: tape), .check(.everything), .passcodeLosses,
    ]

    private let home: TestHome
    private let path: String
    private let fixture: EngineFixture
    private let maintenance: Maintenance

    init() throws {
        home = try TestHome()
        path = home.root + "/store.db"
        try require(FileFacts.make(path), path)
        fixture = try EngineFixture(database: path)
        try fixture.unlock()
        maintenance = Maintenance(fixture)
        for account in ["ada", "bob"] {
            #expect(fixture.keychain.add(password(account)) == .success)
        }
    }

    private func add(_ count: Int) throws {
        let items = (0..<count).map { number in
            var item = password("account \(number)")
            item[.valueData] = .secret(EngineFixture.secret("value \(number)"))
            return item
        }
        _ = try fixture.keychain.endpoint.send(.addAll(items, duplicates: .refused))
    }

    @Test(arguments: works)
    func `leaves the keychain to others in between, and sees it as it was at first`(
        work: MaintenanceWork
    ) throws {
        try add(600)
        let id = try maintenance.begin(work)
        #expect(fixture.keychain.add(password("later")) == .success)
        let first = try maintenance.next(id)
        #expect(first.outcome == nil)
        #expect((1...600).contains(first.doneCount))
        #expect(fixture.keychain.delete(password("ada")) == .success)
        let last = try #require(try maintenance.rest(of: id).last)
        #expect(last.doneCount == 602)
        #expect(maintenance.status(.next(id)) == .param)
    }

    @Test func `makes a backup of what was there at first`() throws {
        let id = try maintenance.begin(.backup(password: Self.tape))
        #expect(fixture.keychain.delete(password("ada")) == .success)
        let findings = try maintenance.rest(of: id).flatMap(\.findings)
        let bytes = findings.flatMap { finding -> [UInt8] in
            if case .bytes(let bytes) = finding { bytes } else { [] }
        }
        let restore = try maintenance.begin(.restore(password: Self.tape))
        for byte in stride(from: 0, to: bytes.count, by: 100) {
            let part = Array(bytes[byte..<min(byte + 100, bytes.count)])
            #expect(maintenance.status(.give(restore, part)) == .success)
        }
        guard case .restore(let report)? = try maintenance.next(restore).outcome else {
            Issue.record("another outcome")
            return
        }
        #expect(report.restoredCount == 1 && report.keptCount == 1)
        #expect(fixture.keychain.read(password("ada")) == .value("open sesame"))
    }

    @Test(.requirement("BAK-01"))
    func `is a backup no more once the device is locked`() throws {
        let id = try maintenance.begin(.backup(password: Self.tape))
        try fixture.engine.lock()
        #expect(maintenance.status(.next(id)) == .interactionNotAllowed)
        #expect(maintenance.status(.next(id)) == .param)
    }

    @Test(arguments: works)
    func `ends when the rows get other keys, and takes none for damaged`(
        work: MaintenanceWork
    ) throws {
        let id = try maintenance.begin(work)
        try fixture.engine.setPasscode(
            EngineFixture.secret("5678"),
            current: EngineFixture.secret(EngineFixture.passcode)
        )
        #expect(maintenance.status(.next(id)) == .notAvailable)
    }

    @Test func `has a name at the endpoint alone that began it`() throws {
        let id = try maintenance.begin(.check(.database))
        #expect(Maintenance(fixture).status(.next(id)) == .param)
        #expect(Maintenance(fixture).status(.stop(id)) == .success)
        #expect(try maintenance.next(id).outcome != nil)
    }

    @Test func `is bounded, and ends when it is stopped`() throws {
        var ids: [WorkID] = []
        while ids.count < 8 { ids.append(try maintenance.begin(.check(.database))) }
        #expect(maintenance.status(.begin(.check(.database))) == .notAvailable)
        let last = ids.removeLast()
        #expect(maintenance.status(.stop(last)) == .success)
        #expect(maintenance.status(.next(last)) == .param)
        #expect(maintenance.status(.begin(.check(.database))) == .success)
    }

    @Test func `takes bytes for a restore alone, and none that begin no backup`() throws {
        let check = try maintenance.begin(.check(.database))
        #expect(maintenance.status(.give(check, [1])) == .param)
        let restore = try maintenance.begin(.restore(password: Self.tape))
        #expect(maintenance.status(.give(restore, Array(repeating: 1, count: 10))) == .success)
        #expect(maintenance.status(.give(restore, Array(repeating: 1, count: 90))) == .decode)
        #expect(maintenance.status(.give(restore, [1])) == .param)
        #expect(access(path + "-restore", F_OK) != 0)
    }

    @Test func `accepts rows, and tells the group of a program`() throws {
        guard case .accepted(let count) = try maintenance.endpoint.send(.acceptRows) else {
            Issue.record("another reply")
            return
        }
        #expect(count == 2)
        let query = ProgramGroupQuery(
            ProgramFile(path: "/bin/program", identity: [1]),
            declared: nil,
            otherwise: "program",
            records: nil
        )
        guard case .programGroup(let found) = try maintenance.endpoint.send(.programGroup(query))
        else {
            Issue.record("another reply")
            return
        }
        #expect(found.group == ProgramGroup("program", .chosenNow))
        #expect(found.records.map(Engine.areProgramRecords) == true)
    }
}

/// Answers with the owner's face, after it did something else.
private struct DoingPrompter: Prompter {
    let deed: @Sendable () -> Void

    func answer(_ prompt: Prompt) -> PromptAnswer {
        deed()
        return .presented(OwnerPrompter.face)
    }
}

@Suite struct `A call that somebody has to allow` {
    private let fixture: EngineFixture
    private let context = ContextReference(session: SessionID(), reuse: .seconds(60))
    private let caller = TestKeychain.caller(EngineFixture.groups)

    init() throws {
        fixture = try .owned()
        let item = password().gated(.biometryAny)
        #expect(fixture.attended().add(item, "value") == .success)
    }

    private var request: Request {
        var query = password()
        query[.returnData] = .bool(true)
        query[.useAuthenticationContext] = .authentication(context)
        return .items(.copyMatching(query))
    }

    @Test(.requirement("BIO-01"))
    func `comes back as a challenge, and goes on with its answer`() throws {
        let engine = fixture.engine
        var call = engine.call(request, from: caller)
        guard case .challenge(let challenge) = try engine.proceed(with: &call) else {
            Issue.record("nobody was asked")
            return
        }
        #expect(challenge.factor == .biometry && call.isWanted)
        #expect(fixture.keychain.add(password("bob"), "value") == .success)
        let answer = PromptAnswer.presented(OwnerPrompter.face)
        guard
            case .reply(.items(.result(.data(let value)))) = try engine.proceed(with: &call, answer)
        else {
            Issue.record("another reply")
            return
        }
        #expect(value.secret.copyBytesUnprotected() == Array("value".utf8))
    }

    @Test func `is not wanted any more once its context has ended`() throws {
        let engine = fixture.engine
        var call = engine.call(request, from: caller)
        _ = try engine.proceed(with: &call)
        let end = Request.authenticate(.end(context.session))
        _ = try engine.perform(end, from: caller, asking: nil)
        #expect(!call.isWanted)
        let refusal = #expect(throws: KeychainError.self) {
            try engine.proceed(with: &call, .presented(OwnerPrompter.face))
        }
        #expect(refusal?.failure == .appCancel)
    }

    @Test func `ends with its context while the prompt is shown`() throws {
        let engine = fixture.engine
        let (caller, context) = (caller, context)
        let prompter = DoingPrompter {
            let end = Request.authenticate(.end(context.session))
            #expect(throws: Never.self) { try engine.perform(end, from: caller, asking: nil) }
        }
        let refusal = #expect(throws: KeychainError.self) {
            try engine.perform(request, from: caller, asking: prompter)
        }
        #expect(refusal?.failure == .appCancel)
    }

    @Test func `is refused with a context whose end overtook it`() throws {
        let engine = fixture.engine
        let end = Request.authenticate(.end(context.session))
        _ = try engine.perform(end, from: caller, asking: nil)
        let refusal = #expect(throws: KeychainError.self) {
            try engine.perform(request, from: caller, asking: OwnerPrompter())
        }
        #expect(refusal?.failure == .invalidContext)
    }
}
