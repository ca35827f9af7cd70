import Foundation
import Glibc
import TestSupport
import Testing

/// A daemon of all accounts, permitted programs, and accounts that attack.
///
/// Every permitted program is the stranger under another name. `mailer` and `launcher` are
/// protected and have the group `mail`; `launcher` becomes other programs. `reader` is not
/// protected and has `notes`. `vault` is protected and has no policy. `agent` may show prompts, and
/// `command` may read the log.
final class AttackStage {
    static let reason: Comment = "it makes accounts and protected programs, which needs root"
    static let isPossible = geteuid() == 0
    static let path = "/usr/sbin:/usr/bin:/sbin:/bin"
    /// The environment of the tests, in which a compiler is found.
    static var inherited: [String: String] { ProcessInfo.processInfo.environment }

    /// One for all attacks, which run one after the other.
    nonisolated(unsafe) private static let shared = Result { try AttackStage() }

    static func current() throws -> AttackStage { try shared.get() }

    /// The attacker's account, another one, and one whose keychain has a passcode: numbers of
    /// persons that nobody has.
    let account: UInt32
    let other: UInt32
    let guarded: UInt32
    /// The number of a service's account.
    let service = UInt32(62_000)
    static let passcode = "correct-horse"

    let folder: String
    /// A directory of the attacking account.
    let own: String
    private var made: AttackDaemon?
    /// Removes the folder also after tests that were killed.
    private let keeper: TestProcess

    private init() throws {
        account = UInt32(70_000_000) + UInt32(getpid() % 100_000) * 4
        (other, guarded) = (account + 1, account + 2)
        folder = "/opt/keychain-attack-\(getpid())"
        own = folder + "/own"
        keeper = try Litter.removeAtEnd(folder)
        atexit {
            guard case .success(let stage) = AttackStage.shared else { return }
            try? stage.made?.end(with: SIGTERM)
            try? prepare("rm -rf \(stage.folder)")
        }
        try prepare("rm -rf \(folder) && install -d -m 755 \(folder) \(folder)/bin")
        try prepare("install -d -m 755 -o \(account) -g \(account) \(own) \(own)/bin")
        try prepare("getent group keychain-client >/dev/null || groupadd --system keychain-client")
        try makePrograms()
        try writePolicies()
        made = try AttackDaemon(folder + "/daemon", of: self)
        try expect(play("mailer", "add mail mail secret-of-mail"), "nothing")
        try expect(play("reader", "add notes notes secret-of-notes"), "nothing")
    }

    var daemon: AttackDaemon {
        get throws { try #require(made) }
    }

    func program(_ name: String) -> String { "\(folder)/bin/\(name)" }

    private func makePrograms() throws {
        for name in ["keychaind", "keychain-witness"] {
            try prepare("cp \(try DaemonBench.program(name)) \(program(name))")
        }
        let compilers = try AttackPrograms.sources.map { name, source in
            let file = "\(folder)/\(name).c"
            try source.write(toFile: file, atomically: true, encoding: .utf8)
            let kind = name.hasPrefix("lib") ? "-shared -fPIC" : ""
            let line = "exec clang -w -O1 \(kind) -o \(program(name)) \(file) -ldl"
            return try AttackProcess(["/bin/sh", "-c", line], Self.inherited)
        }
        for compiler in compilers {
            let lines = try compiler.end()
            try #require(compiler.status == 0, "\(lines)")
        }
        for name in ["mailer", "reader", "agent", "command", "vault", "python3"] {
            try prepare("cp \(program("stranger")) \(program(name))")
        }
        try prepare("cp \(program("waiter")) \(program("launcher"))")
        for name in ["mailer", "launcher", "agent", "command", "vault"] {
            try prepare("chgrp keychain-client \(program(name)) && chmod 2755 \(program(name))")
        }
        try prepare("cp \(program("stranger")) \(own)/bin/ && chown \(account) \(own)/bin/*")
    }

    // MARK: Policies

    var unit: String { "keychain-attack-\(getpid()).service" }

    private func writePolicies() throws {
        let text = """
            [{"program": "\(program("mailer"))", "accessGroups": ["mail"]},
            {"program": "\(program("launcher"))", "accessGroups": ["mail"]},
            {"program": "\(program("command"))", "applicationIdentifier": "keychain"},
            {"program": "\(program("agent"))", "applicationIdentifier": "keychain-agent"},
            {"program": "\(program("reader"))", "level": "observed", "accessGroups": ["notes"]},
            {"program": "\(program("script"))", "level": "observed", "accessGroups": ["mail"]},
            {"program": "\(program("python3"))", "level": "observed", "accessGroups": ["mail"]},
            {"unit": "\(unit)", "accessGroups": ["shop"]},
            {"flatpak": "org.example.Box", "accessGroups": ["box"]},
            {"account": "nobody", "accessGroups": ["shared"]}]
            """
        try prepare("install -d -m 755 \(folder)/policy")
        try write(policy: "programs", text)
    }

    /// Writes a policy file of root's.
    func write(policy name: String, _ text: String) throws {
        let file = "\(folder)/policy/\(name).json"
        try text.write(toFile: file, atomically: false, encoding: .utf8)
        chmod(file, 0o644)
    }

    // MARK: Programs

    /// Starts a command line as an account.
    func launch(
        _ words: [String],
        as user: UInt32? = nil,
        _ variables: [String: String] = [:]
    ) throws -> AttackProcess {
        let user = user ?? account
        let identity = [
            "/usr/bin/setpriv", "--reuid", "\(user)", "--regid", "\(user)", "--clear-groups",
        ]
        // Not before: they are meant for this program alone.
        let settings = variables.map { "\($0)=\($1)" }
        let setting = settings.isEmpty ? [] : ["/usr/bin/env"] + settings
        return try AttackProcess(
            (user == 0 ? [] : identity) + setting + words,
            ["PATH": Self.path, "HOME": own]
        )
    }

    /// Starts a line of the shell as an account; its last program takes the shell's place.
    func shell(_ line: String, as user: UInt32? = nil) throws -> AttackProcess {
        try launch(["/bin/sh", "-c", "exec \(line)"], as: user)
    }

    /// The words of a stranger who is connected, greets, and takes these steps.
    func words(_ path: String, _ steps: String, at socket: String? = nil) throws -> [String] {
        let socket = try socket ?? daemon.socket
        return [path, "connect", socket, "hello"] + steps.split(separator: " ").map(String.init)
    }

    /// Starts a stranger by the name of its copy.
    func start(
        _ name: String,
        _ steps: String,
        as user: UInt32? = nil,
        at socket: String? = nil
    ) throws -> AttackProcess {
        let path = name.hasPrefix("/") ? name : program(name)
        let process = try launch(try words(path, steps, at: socket), as: user)
        let line = try process.line()
        try #require(line == "welcome")
        return process
    }

    /// Has a stranger take steps; the lines that it writes after the welcome.
    func play(
        _ name: String,
        _ steps: String,
        as user: UInt32? = nil,
        at socket: String? = nil
    ) throws -> [String] {
        try start(name, steps, as: user, at: socket).end()
    }

    func expect(_ lines: [String], _ wanted: String...) throws {
        try #require(lines == wanted)
    }

    /// The other account's permitted programs, which every attack leaves in peace.
    func requirePeace() throws {
        try expect(play("mailer", "find mail mail"), "value secret-of-mail")
    }
}

/// What a program without the right to a group is told.
let missingEntitlement = "failed -34018"

extension [String] {
    /// Whether these are lines that begin so.
    func begin(with beginnings: String...) -> Bool {
        count == beginnings.count && zip(self, beginnings).allSatisfy { $0.hasPrefix($1) }
    }
}

/// Attacks by real processes of several accounts on a daemon of all accounts.
///
/// They share the daemon, so they run one after the other.
@Suite(.serialized, .enabled(if: AttackStage.isPossible, AttackStage.reason))
struct `An attack on the system daemon` {}
