import Foundation
import Glibc
import TestSupport
import Testing

/// A daemon in a process of its own, and programs that use it.
final class DaemonBench {
    /// Whose programs run: everything is root's to change, so root's own programs are nobody.
    static let account: UInt32? = geteuid() == 0 ? 65_534 : nil

    let folder: String
    private var daemon: TestProcess?

    /// The programs that were built beside the tests.
    static func program(_ name: String) throws -> String {
        try BuiltPrograms.path(name)
    }

    /// - Parameter servesAll: Whether the daemon is the one of all accounts, whose directories no
    ///   account may write.
    /// - Throws: what keeps the directories from being made.
    init(servesAll: Bool = false) throws {
        folder = FileManager.default.temporaryDirectory.path + "/daemon-" + UUID().uuidString
        try FileManager.default.createDirectory(
            atPath: folder,
            withIntermediateDirectories: true,
            attributes: [.posixPermissions: 0o755]
        )
        mkdir(folder + "/policy", 0o755)
        mkdir(folder + "/own", 0o700)
        if let account = Self.account {
            chown(folder + "/own", account, account)
            if !servesAll { chown(folder, account, account) }
        }
    }

    deinit {
        daemon = nil
        Litter.remove(folder)
    }

    var socket: String { folder + "/socket" }
    var processID: pid_t { daemon?.processID ?? 0 }

    /// Gives `keychainctl` of the build its application identifier.
    func writePolicy(level: String = "observed") throws {
        let command = try Self.program("keychainctl")
        let text = """
            {"program": "\(command)", "level": "\(level)", "applicationIdentifier": "keychain"}
            """
        try Data(text.utf8).write(to: URL(filePath: folder + "/policy/command.json"))
        chmod(folder + "/policy/command.json", 0o644)
    }

    private var variables: [String: String] {
        [
            "KEYCHAIN_HOME": folder + "/own/keychain", "KEYCHAIN_UNLOCK_TIME": "0",
            "XDG_RUNTIME_DIR": folder + "/own",
            "HOME": folder + "/own", "PATH": "/usr/bin:/bin",
        ]
    }

    /// Starts a daemon and waits until it serves, or has ended.
    ///
    /// - Parameters:
    ///   - words: Its arguments.
    ///   - withDefaults: Whether it also gets the places of this bench.
    ///   - more: Variables of its environment.
    ///   - script: What a shell does first, which then becomes the daemon.
    /// - Returns: What it said first.
    /// - Throws: what keeps it from starting.
    @discardableResult
    func start(
        _ words: String...,
        withDefaults: Bool = true,
        variables more: [String: String] = [:],
        script: String? = nil
    ) throws -> String {
        try start(words, withDefaults: withDefaults, variables: more, script: script)
    }

    /// The same with a list of arguments.
    @discardableResult
    func start(
        _ words: [String],
        withDefaults: Bool = true,
        variables more: [String: String] = [:],
        script: String? = nil
    ) throws -> String {
        let places = ["--foreground", "--socket", socket, "--policy", folder + "/policy"]
        let shell = script.map { ["/bin/sh", "-c", $0 + " exec \"$@\"", "sh"] } ?? []
        let arguments =
            shell + [try Self.program("keychaind")] + words + (withDefaults ? places : [])
        let process = try program(
            arguments,
            as: words.contains("--system") ? nil : Self.account,
            more
        ).start(hears: [STDERR_FILENO])
        daemon = process
        return try Self.greeting(of: process)
    }

    /// What a daemon wrote up to its readiness, or to its end.
    private static func greeting(of daemon: TestProcess) throws -> String {
        var text = ""
        while !text.contains(" serves "), !text.contains("cannot") {
            guard let line = try? daemon.hear(until: "\n") else { return daemon.heard }
            text += line
        }
        return text
    }

    /// Ends the daemon.
    ///
    /// - Returns: Its exit status; 128 and a signal if one ended it.
    @discardableResult
    func end(with signal: Int32 = SIGTERM) throws -> Int32 {
        let daemon = try #require(daemon)
        return try daemon.end(signal).status
    }

    /// Waits for a daemon that ends by itself.
    func exitStatus() throws -> Int32 {
        let daemon = try #require(daemon)
        return try daemon.wait().status
    }

    struct Result {
        let status: Int32
        let output: String
        let errors: String
    }

    /// Runs `keychainctl`, as this account or another one.
    @discardableResult
    func run(
        _ words: String...,
        input: String = "",
        variables more: [String: String] = [:],
        account: UInt32? = DaemonBench.account
    ) throws -> Result {
        try run(words, input: input, variables: more, account: account)
    }

    /// The same with a list of words, and perhaps with a copy of the program.
    @discardableResult
    func run(
        _ words: [String],
        input: String = "",
        variables more: [String: String] = [:],
        account: UInt32? = DaemonBench.account,
        program: String? = nil
    ) throws -> Result {
        let path = try program ?? Self.program("keychainctl")
        let plan = try self.program(
            [path] + words,
            as: account,
            ["KEYCHAIN_SOCKET": socket].merging(more) { $1 }
        )
        let result = try plan.run(input: input, joinsErrors: false)
        return Result(status: result.status, output: result.output, errors: result.errors)
    }

    /// Runs `keychainctl` at a terminal of its own, and types an answer to its first prompt.
    ///
    /// - Returns: What the terminal showed.
    func runAtTerminal(_ line: String, typing answer: String) throws -> String {
        let command = "\(try Self.program("keychainctl")) \(line)"
        let variables = [
            "KEYCHAIN_SOCKET": socket, "KEYCHAIN_PROMPT": "terminal", "SHELL": "/bin/sh",
        ]
        let words = ["/usr/bin/script", "-qec", command, "/dev/null"]
        let process = try program(words, as: Self.account, variables).start(hasInput: true)
        // What is typed before the prompt shows is thrown away, as it would be seen.
        try process.hear(until: "Passcode: ")
        try process.write("\(answer)\n")
        return try process.wait().output
    }

    /// A program that runs as this account or another one.
    private func program(
        _ words: [String],
        as account: UInt32?,
        _ more: [String: String]
    ) throws -> TestProgram {
        let identity = account.map {
            ["/usr/bin/setpriv", "--reuid", "\($0)", "--regid", "\($0)", "--clear-groups"]
        }
        let all = variables.merging(more) { $1 }
        return try TestProgram((identity ?? []) + words, environment: all)
    }

    func add(
        _ account: String = "ada",
        as user: UInt32? = DaemonBench.account
    ) throws -> Result {
        try run(
            "add-generic-password",
            "-s",
            "mail",
            "-a",
            account,
            input: "open sesame\n",
            account: user
        )
    }

    func find(
        _ account: String = "ada",
        as user: UInt32? = DaemonBench.account
    ) throws -> Result {
        try run("find-generic-password", "-s", "mail", "-a", account, "-w", account: user)
    }
}
