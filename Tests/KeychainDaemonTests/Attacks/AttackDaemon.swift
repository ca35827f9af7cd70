import Foundation
import Glibc
import Testing

/// A program that runs, and the lines that it writes.
///
/// It is not Foundation's `Process`, which waits for whatever its children leave behind, too.
final class AttackProcess {
    let number: pid_t
    private var input: FileHandle?
    private let output: FileHandle
    /// What was read and not yet returned.
    private var rest: [UInt8] = []
    private var said: [String] = []
    /// What it exited with, or the signal that ended it, negated.
    private(set) var status: Int32?

    /// How long a test waits for a line; no attack may make anybody wait for ever.
    private static let patience: Int32 = 120_000

    /// It said nothing for too long after these lines.
    struct Silence: Error { let said: [String] }

    struct NotStarted: Error { let code: Int32 }

    init(_ words: [String], _ variables: [String: String]) throws {
        let (reading, writing) = (Self.pipe(), Self.pipe())
        (input, output) = (reading.writing, writing.reading)
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        let (zero, one) = (reading.reading.fileDescriptor, writing.writing.fileDescriptor)
        posix_spawn_file_actions_adddup2(&actions, zero, STDIN_FILENO)
        posix_spawn_file_actions_adddup2(&actions, one, STDOUT_FILENO)
        posix_spawn_file_actions_adddup2(&actions, one, STDERR_FILENO)
        // Signals that the tests' threads block would stay blocked.
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        var none = sigset_t()
        sigemptyset(&none)
        posix_spawnattr_setsigmask(&attributes, &none)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK))
        var arguments = words.map { strdup($0) } + [nil]
        var environment = variables.map { strdup("\($0)=\($1)") } + [nil]
        defer { for word in arguments + environment { free(word) } }
        var number: pid_t = 0
        let code = posix_spawn(
            &number,
            words[0],
            &actions,
            &attributes,
            &arguments,
            &environment
        )
        guard code == 0 else { throw NotStarted(code: code) }
        self.number = number
    }

    deinit {
        guard status == nil else { return }
        kill(number, SIGKILL)
        waitpid(number, nil, 0)
    }

    /// A pipe that no other child gets.
    private static func pipe() -> (reading: FileHandle, writing: FileHandle) {
        let pipe = Pipe()
        let ends = (pipe.fileHandleForReading, pipe.fileHandleForWriting)
        _ = fcntl(ends.0.fileDescriptor, F_SETFD, FD_CLOEXEC)
        _ = fcntl(ends.1.fileDescriptor, F_SETFD, FD_CLOEXEC)
        return ends
    }

    /// The next line; nil at the end.
    func line() throws -> String? {
        while true {
            if let end = rest.firstIndex(of: 10) {
                said.append(String(decoding: rest[..<end], as: UTF8.self))
                rest.removeSubrange(...end)
                return said.last
            }
            let descriptor = output.fileDescriptor
            var request = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
            guard poll(&request, 1, Self.patience) > 0 else { throw Silence(said: said) }
            var bytes = [UInt8](repeating: 0, count: 65_536)
            let count = read(descriptor, &bytes, bytes.count)
            guard count > 0 else { return nil }
            rest += bytes[..<count]
        }
    }

    /// Waits for a line with these words.
    @discardableResult
    func line(with words: String) throws -> String {
        while let line = try line() { if line.contains(words) { return line } }
        return try #require(nil, "it never said \(words), but \(said)")
    }

    /// Has it go on.
    func tell() throws { try input?.write(contentsOf: Data("x".utf8)) }

    /// Ends it as an enemy would, or waits for it if there is no signal.
    ///
    /// - Returns: The lines that were not read yet.
    @discardableResult
    func end(with signal: Int32? = nil) throws -> [String] {
        if let signal { kill(number, signal) }
        input = nil
        var lines: [String] = []
        while let line = try line() { lines.append(line) }
        var status: Int32 = 0
        waitpid(number, &status, 0)
        self.status = status & 0x7F == 0 ? status >> 8 & 0xFF : -(status & 0x7F)
        return lines
    }
}

/// A system daemon with its witness, in a directory of root's.
final class AttackDaemon {
    let folder: String
    private let program: String
    private let policies: String
    private let prefix: [String]
    private let variables: [String: String]
    private var process: AttackProcess?

    /// - Parameters:
    ///   - folder: Where its socket and its keychains go.
    ///   - stage: Whose programs and policies it has.
    ///   - prefix: Words in front of its command line.
    ///   - variables: Its environment.
    /// - Throws: what keeps it from serving.
    init(
        _ folder: String,
        of stage: AttackStage,
        after prefix: [String] = [],
        _ variables: [String: String] = [:]
    ) throws {
        self.folder = folder
        self.prefix = prefix
        self.variables = variables
        program = stage.program("keychaind")
        policies = stage.folder + "/policy"
        try prepare("install -d -m 755 \(folder) && install -d -m 700 \(folder)/state")
        try start()
    }

    var socket: String { folder + "/socket" }
    var state: String { folder + "/state" }
    var number: pid_t { process?.number ?? 0 }

    func start() throws {
        let words = [
            program, "--system", "--foreground", "--state", state, "--socket", socket,
            "--policy", policies,
        ]
        let process = try AttackProcess(prefix + words, variables)
        self.process = process
        try process.line(with: " serves ")
    }

    /// Waits until it says something.
    @discardableResult
    func line(with words: String) throws -> String {
        try #require(process).line(with: words)
    }

    func signal(_ number: Int32) { kill(self.number, number) }

    func end(with signal: Int32) throws {
        try process?.end(with: signal)
        process = nil
    }

    /// The witness that it started.
    func witness() throws -> pid_t {
        // The thread that noticed the end of one starts the next.
        let tasks = "/proc/\(number)/task"
        let threads = try FileManager.default.contentsOfDirectory(atPath: tasks)
        let children = threads.flatMap { thread in
            let text = try? String(contentsOfFile: "\(tasks)/\(thread)/children", encoding: .utf8)
            return (text ?? "").split(separator: " ").compactMap { pid_t($0) }
        }
        return try #require(children.first, "the daemon has no witness")
    }
}

/// Runs a command of the shell that has to succeed.
func prepare(_ command: String) throws {
    let process = try AttackProcess(["/bin/sh", "-c", command], AttackStage.inherited)
    let lines = try process.end()
    try #require(process.status == 0, "\(command): \(lines)")
}
