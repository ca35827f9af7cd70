import EngineTestSupport
import KeychainMessages
import KeychainModel
import Synchronization
import TestSupport
import Testing

@testable import KeychainDaemon

/// Keeps the lines of a log.
private final class ListedLog: DecisionLog {
    private let list = Mutex<[LogLine]>([])

    /// Verb, group, status and rule of each line.
    var lines: [String] {
        list.withLock { $0.map { "\($0.verb) \($0.group) \($0.status) \($0.rule)" } }
    }

    func append(_ line: LogLine) { list.withLock { $0.append(line) } }

    func itemDigest(
        _ itemClass: ItemClass,
        _ dictionary: AttributeDictionary,
        isAdd: Bool
    ) -> [UInt8] { [] }
}

@Suite struct `The keys of files in a daemon` {
    private let log = ListedLog()
    private let bench: SessionBench
    private let file: FileIdentifier

    init() throws {
        bench = try SessionBench(identifier: "TEAM.mailer", log: log)
        try bench.fixture.unlock()
        file = try #require(FileIdentifier(Array(repeating: 1, count: FileIdentifier.byteCount)))
    }

    private func make(_ group: String?) throws -> WrappedFileKey {
        let request = Request.fileKeys(.make(.complete, file: file, group: group))
        let call = try bench.session.call(request)
        let step = try call.proceed(nil)
        _ = call.finish(nil)
        guard case .reply(.fileKeys(.made(let wrapped, _))) = step else {
            throw KeychainError.unexpectedReply
        }
        return wrapped
    }

    @Test func `are for the groups of the program, and every call is logged`() throws {
        let own = try make(nil)
        #expect(own.group == "TEAM.mailer")
        let foreign = WrappedFileKey(
            own.fileClass,
            file: own.file,
            group: "TEAM.bank",
            keySet: own.keySet,
            ephemeralPublicKey: [],
            wrapped: own.wrapped
        )
        let requests: [FileKeyRequest] = [
            .open(own), .move(own, to: .none), .check(own), .open(foreign), .check(foreign),
            .move(foreign, to: .none), .make(.none, file: file, group: "TEAM.bank"),
        ]
        let right = SecurityStatus.success
        let wrong = SecurityStatus.missingEntitlement
        let statuses = requests.map { bench.status(of: .fileKeys($0)) }
        #expect(statuses == [right, right, right, wrong, wrong, wrong, wrong])
        let lines = [
            "make-file  0 ", "open-file TEAM.mailer 0 path", "move-file TEAM.mailer 0 path",
            "open-file TEAM.bank -34018 no-right", "move-file TEAM.bank -34018 no-right",
            "make-file TEAM.bank -34018 no-right",
        ]
        #expect(log.lines.map { $0.replacing("0 policy", with: "0 path") } == lines)
    }

    @Test func `of a locked keychain are refused, and that is logged`() throws {
        let own = try make(nil)
        try bench.fixture.engine.lock()
        #expect(bench.status(of: .fileKeys(.open(own))) == .interactionNotAllowed)
        #expect(log.lines.last?.hasPrefix("open-file TEAM.mailer -25308") == true)
    }
}
