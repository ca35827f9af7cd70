import Foundation
import Glibc
import TestSupport
import Testing

/// A program that runs, and the lines that it writes.
final class AttackProcess {
    private let process: TestProcess
    private var said: [String] = []
    /// What it exited with, or the signal that ended it, negated.
    private(set) var status: Int32?

    init(_ words: [String], _ variables: [String: String]) throws {
        let program = try TestProgram(words, environment: variables)
        process = try program.start(hears: [STDOUT_FILENO, STDERR_FILENO], hasInput: true)
    }

    var number: pid_t { process.processID }

    /// Gives it no more input.
    func closeInput() { process.closeInput() }

    /// The next line; nil at the end.
    func line() throws -> String? {
        guard let line = try process.line() else { return nil }
        said.append(line)
        return line
    }

    /// Waits for a line with these words.
    @discardableResult
    func line(with words: String) throws -> String {
        while let line = try line() { if line.contains(words) { return line } }
        return try #require(nil, "it never said \(words), but \(said)")
    }

    /// Has it go on.
    func tell() throws { try process.write("x") }

    /// Writes a line to it.
    func say(_ line: String) throws { try process.write(line + "\n") }

    /// Ends it as an enemy would, or waits for it if there is no signal.
    ///
    /// - Returns: The lines that were not read yet.
    @discardableResult
    func end(with signal: Int32? = nil) throws -> [String] {
        if let signal { process.send(signal) }
        process.closeInput()
        var lines: [String] = []
        while let line = try line() { lines.append(line) }
        let status = try process.wait().status
        self.status = status > 128 ? 128 - status : status
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
        // A cost is measured for seconds, which only attacks on the cost need.
        self.variables = ["KEYCHAIN_UNLOCK_TIME": "0"].merging(variables) { $1 }
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
