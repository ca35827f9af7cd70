import CallerEvidence
import Foundation
import KeychainCommand
import KeychainHost
import KeychainMessages
import KeychainModel
import Secrets
import Synchronization
import TestSupport
import Testing

/// An endpoint behind which there is a daemon whose answers are written down beforehand.
private final class FakeDaemon: Endpoint, DaemonChannel {
    private let keychain: any Endpoint
    private let answer: @Sendable (DaemonRequest) throws(KeychainError) -> DaemonReply
    let endpointDescription: EndpointDescription
    /// The reason why the daemon cannot be reached.
    private let absence: KeychainError?

    init(
        _ kind: EndpointDescription.Kind = .systemDaemon,
        absence: KeychainError? = nil,
        passcode: String? = "1234",
        answer: @escaping @Sendable (DaemonRequest) throws(KeychainError) -> DaemonReply
    ) throws {
        keychain = try TestKeychain.endpoint()
        endpointDescription = EndpointDescription(kind, place: "/run/keychain/socket")
        self.answer = answer
        self.absence = absence
        guard let passcode else { return }
        let secret = SharedSecret(Secret(copying: Array(passcode.utf8)))
        _ = try keychain.send(.device(.setPasscode(secret, current: nil)))
    }

    var profiles: Profiles { keychain.profiles }

    func send(_ request: Request) throws(KeychainError) -> Reply { try keychain.send(request) }

    func note(_ finding: Finding) {}

    func perform(_ request: DaemonRequest) throws(KeychainError) -> DaemonReply {
        try answer(request)
    }

    func kind() throws(KeychainError) -> EndpointDescription.Kind {
        if let absence { throw absence }
        return endpointDescription.kind
    }

    /// Runs a command line.
    func run(_ words: [String], typing lines: [String] = []) -> (status: Int32, TestTerminal) {
        let terminal = lines.isEmpty ? TestTerminal() : TestTerminal(typing: lines)
        return (TestKeychain.run(["keychainctl"] + words, on: self, terminal), terminal)
    }
}

private let lines = [
    LogLine(
        time: 1_790_000_000,
        program: "/opt/a/stealer",
        level: .observed,
        verb: "find",
        itemClass: ItemClass.genericPassword.rawValue,
        group: "mail",
        itemDigest: [0, 1, 2, 3, 4, 5, 6, 0xFF],
        status: -34018,
        rule: "path"
    ),
    LogLine(
        time: 1_790_000_001,
        program: "/usr/bin/mailer",
        level: .verified,
        verb: "unlock",
        status: 0
    ),
    LogLine(
        time: 1_790_000_002,
        program: "/tmp/\u{1B}[2J",
        level: .nobody,
        verb: "add",
        itemClass: ItemClass.genericPassword.rawValue,
        status: -25300
    ),
]

private func log(_ request: DaemonRequest) throws(KeychainError) -> DaemonReply {
    guard case .log(let position) = request else { throw .unexpectedReply }
    // A line a page.
    let next = position?.lineNumber ?? 0
    guard next < 3 else { return .log([], next: LogPosition(lineNumber: 3)) }
    return .log([lines[Int(next)]], next: LogPosition(lineNumber: next + 1))
}

@Suite(.requirement("DMN-13")) struct `The command log` {
    @Test func `writes a line for each decision`() throws {
        let (status, terminal) = try FakeDaemon(answer: log).run(["log"])
        #expect(status == 0)
        #expect(
            terminal.outputText == """
                2026-09-21T14:13:20Z denied  /opt/a/stealer (observed)  find  genp  group mail  \
                -34018
                2026-09-21T14:13:21Z allowed  /usr/bin/mailer (verified)  unlock  0
                2026-09-21T14:13:22Z failed  "/tmp/\\u{1b}[2J" (nobody)  add  genp  -25300

                """
        )
    }

    @Test(arguments: [
        (["--denied"], 1), (["--program", "/usr/bin/mailer"], 1), (["--program", "mailer"], 1),
        (["--program", "ailer"], 0), (["--program", "mailer", "--denied"], 0), ([], 3),
    ])
    func `shows what was asked for`(words: [String], count: Int) throws {
        let (status, terminal) = try FakeDaemon(answer: log).run(["log"] + words)
        #expect(status == 0)
        #expect(terminal.outputText.split(separator: "\n").count == count)
    }

    @Test func `writes JSON, an object a line`() throws {
        let (_, terminal) = try FakeDaemon(answer: log).run(["log", "--json"])
        let objects = try terminal.outputText.split(separator: "\n").map { line in
            try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
        }
        #expect(objects.count == 3)
        #expect(objects[0]?["item"] as? String == "00010203040506ff")
        #expect(objects[0]?["outcome"] as? String == "denied")
        #expect(objects[0]?["status"] as? Int == -34018)
        #expect(objects[2]?["program"] as? String == "/tmp/\u{1B}[2J")
    }

    @Test func `says that the log is whole`() throws {
        let daemon = try FakeDaemon { (_: DaemonRequest) in
            .logVerdict(LogVerdict(soundCount: 7, faults: []))
        }
        let (status, terminal) = daemon.run(["log", "--verify"])
        #expect(status == 0)
        #expect(terminal.outputText == "7 lines are as the daemon wrote them\n")
    }

    @Test func `exits with 1 for a log that is not`() throws {
        let daemon = try FakeDaemon { (_: DaemonRequest) in
            .logVerdict(LogVerdict(soundCount: 1, faults: ["line 3 is missing"]))
        }
        let (status, terminal) = daemon.run(["log", "--verify"])
        #expect(status == 1)
        #expect(
            terminal.outputText == "line 3 is missing\n1 line is as the daemon wrote it\n"
        )
        #expect(terminal.diagnosticsText.contains("not as the daemon wrote it"))
    }

    @Test func `verifies all of it or nothing`() throws {
        #expect(try FakeDaemon(answer: log).run(["log", "--verify", "--denied"]).status == 2)
    }
}

@Suite(.requirement("DOC-08")) struct `The command explain at a daemon` {
    @Test func `looks at the daemon's items, and names its way to share a group`() throws {
        let daemon = try FakeDaemon(answer: log)
        try #require(daemon.run(["lock-keychain"]).status == 0)
        let (status, terminal) = daemon.run(["explain", "-34018", "--access-group", "TEAM.x"])
        #expect(status == 0)
        #expect(terminal.outputText.contains("keychainctl access grant"))
        #expect(terminal.outputText.contains("TEAM.mail, TEAM.shared"))
    }
}

/// What a daemon was asked for.
private final class Asked: Sendable {
    private let list = Mutex<[DaemonRequest]>([])

    var all: [DaemonRequest] { list.withLock { $0 } }

    func reply(_ request: DaemonRequest) -> DaemonReply {
        list.withLock { $0.append(request) }
        if case .grants = request { return .grants(grants) }
        return .done
    }
}

private let grants = [
    AccessGrant(group: "mail", program: .program("/usr/bin/mailer")),
    AccessGrant(
        group: "web",
        program: .program("/usr/bin/curl"),
        digest: [UInt8](repeating: 0xA, count: 32)
    ),
    AccessGrant(group: "shop", program: .unit("shop.service")),
]

@Suite(.requirement("DMN-06")) struct `The command access` {
    private let asked = Asked()

    private func daemon(passcode: String? = "1234") throws -> FakeDaemon {
        try FakeDaemon(passcode: passcode) { [asked] request in asked.reply(request) }
    }

    @Test func `lists what is shared`() throws {
        let (status, terminal) = try daemon().run(["access", "list"])
        #expect(status == 0)
        let digest = String(repeating: "0a", count: 32)
        #expect(
            terminal.outputText == """
                group mail  /usr/bin/mailer
                group web   /usr/bin/curl      sha256 \(digest)
                group shop  unit shop.service

                """
        )
    }

    @Test func `lists as JSON`() throws {
        let (_, terminal) = try daemon().run(["access", "list", "--json"])
        let data = Data(terminal.outputText.utf8)
        let rows = try JSONSerialization.jsonObject(with: data) as? [[String: Any]]
        #expect(rows?.count == 3)
        #expect(rows?[2]["unit"] as? String == "shop.service")
    }

    @Test(arguments: [
        (["/usr/bin/env"], ProgramSelector.program("/usr/bin/env")),
        (["shop.service", "--unit"], .unit("shop.service")),
        (["org.example.Browser", "--flatpak"], .flatpak("org.example.Browser")),
        (["browser", "--snap"], .snap("browser")),
        (["ntpd", "--label"], .label("ntpd")), (["ada", "--account"], .account("ada")),
    ])
    func `shares a group for the passcode that is typed`(
        words: [String],
        program: ProgramSelector
    ) throws {
        let (status, terminal) = try daemon().run(
            ["access", "grant", "mail"] + words,
            typing: ["1234"]
        )
        #expect(status == 0)
        #expect(terminal.diagnosticsText == "Passcode: \n")
        guard case .grant(let grant, let passcode) = try #require(asked.all.first) else {
            Issue.record("no grant")
            return
        }
        #expect(grant == AccessGrant(group: "mail", program: program))
        #expect(passcode.secret.copyBytesUnprotected() == Array("1234".utf8))
    }

    @Test func `binds a grant to the file, by the path behind a link`() throws {
        let folder = try ScratchFolder()
        let (program, link) = (folder.path + "/program", folder.path + "/link")
        try Data("abc".utf8).write(to: URL(filePath: program))
        try FileManager.default.createSymbolicLink(
            atPath: link,
            withDestinationPath: program
        )
        let words = ["access", "grant", "mail", link, "--digest"]
        #expect(try daemon().run(words, typing: ["1234"]).status == 0)
        guard case .grant(let grant, _) = try #require(asked.all.first) else {
            Issue.record("no grant")
            return
        }
        let resolved = URL(filePath: program).resolvingSymlinksInPath().path
        #expect(grant.program == .program(resolved))
        #expect(grant.digest?.starts(with: [0xBA, 0x78, 0x16, 0xBF]) == true)
    }

    @Test func `takes back what is shared, also of a program that is gone`() throws {
        let words = ["access", "revoke", "mail", "/gone/program"]
        #expect(try daemon().run(words, typing: ["1234"]).status == 0)
        guard case .revoke(let grant, _) = try #require(asked.all.first) else {
            Issue.record("nothing was revoked")
            return
        }
        #expect(grant == AccessGrant(group: "mail", program: .program("/gone/program")))
    }

    @Test(arguments: [
        [], ["give"], ["grant"], ["grant", "mail"], ["grant", "mail", "mailer"],
        ["grant", "mail", "/bin/sh", "more"], ["grant", "mail", "x", "--unit", "--snap"],
        ["grant", "mail", "x", "--unit", "--digest"], ["grant", "mail", "/bin/sh", "--json"],
        ["list", "mail"], ["list", "--unit"], ["list", "--digest"],
    ])
    func `explains wrong usage before it asks anybody`(words: [String]) throws {
        let (status, terminal) = try daemon().run(["access"] + words, typing: ["1234"])
        #expect(status == 2)
        #expect(!terminal.diagnosticsText.contains("Passcode"))
        #expect(asked.all.isEmpty)
    }

    @Test func `refuses a program that is not there`() throws {
        let words = ["access", "grant", "mail", "/gone/program"]
        let (status, terminal) = try daemon().run(words, typing: ["1234"])
        #expect(status != 0)
        #expect(terminal.diagnosticsText.contains("/gone/program cannot be found"))
        #expect(asked.all.isEmpty)
    }

    @Test func `needs a passcode, and says how to set one`() throws {
        let words = ["access", "grant", "mail", "/usr/bin/env"]
        let (status, terminal) = try daemon(passcode: nil).run(words, typing: ["x"])
        #expect(status != 0)
        #expect(terminal.diagnosticsText.contains("keychainctl passcode set"))
        #expect(asked.all.isEmpty)
    }
}

@Suite struct `A command for a daemon` {
    @Test(arguments: [
        ["log"], ["log", "--verify"], ["access", "list"], ["access", "grant", "mail", "/bin/sh"],
        ["daemon", "adopt"], ["daemon", "release"],
    ])
    func `says that there is none`(words: [String]) throws {
        let terminal = TestTerminal()
        let endpoint = try TestKeychain.endpoint()
        let status = TestKeychain.run(["keychainctl"] + words, on: endpoint, terminal)
        #expect(status == 252)
        #expect(terminal.diagnosticsText.contains("there is no daemon"))
        #expect(terminal.diagnosticsText.split(separator: "\n").count == 1)
        #expect(terminal.outputText.isEmpty)
    }

    @Test(arguments: ["adopt", "release", "discard"])
    func `is not said to be the account's own while it starts again`(verb: String) throws {
        let absence = KeychainError(.notAvailable, "the daemon does not answer")
        let daemon = try FakeDaemon(.userDaemon, absence: absence) { (_: DaemonRequest) in .done }
        let (status, terminal) = daemon.run(["daemon", verb], typing: ["1234"])
        #expect(status == 53)
        #expect(terminal.diagnosticsText.contains("does not answer"))
    }

    @Test(arguments: ["adopt", "release"])
    func `moves nothing into the daemon of the account itself`(verb: String) throws {
        let daemon = try FakeDaemon(.userDaemon) { (_: DaemonRequest) in .done }
        let (status, terminal) = daemon.run(["daemon", verb], typing: ["1234"])
        #expect(status == 252)
        #expect(terminal.diagnosticsText.contains("uses the keychain in your directory already"))
    }
}
