import Foundation

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// Another program, which runs to its end or to its time limit.
///
/// It has its own process group and reads no input. All processes that it starts end with it.
///
///     let outcome = try Program(compiler, ["-typecheck", "a.swift"], seconds: 120).run()
///     outcome.ending   // "did not end within 120 s", or nil
struct Program {
    let program: URL
    let words: [String]
    let seconds: Int

    /// The limit for each stream, because a program may write without end.
    static let limit = 16 << 20

    init(_ program: URL, _ words: [String], seconds: Int) {
        self.program = program
        self.words = words
        self.seconds = seconds
    }

    struct Outcome {
        /// The reason for killing the program, such as `did not end within 20 s`; nil if it ended.
        var ending: String?
        var status: Int32 = 0
        var output = Data()
        var errors = Data()
        /// Whether a stream exceeded the limit.
        var isCut = false
    }

    /// Finds a program in `PATH`.
    static func named(_ name: String) -> URL? {
        let path = ProcessInfo.processInfo.environment["PATH"] ?? ""
        return path.split(separator: ":").map { URL(filePath: "\($0)/\(name)") }
            .first { FileManager.default.isExecutableFile(atPath: $0.path) }
    }

    /// Runs the program.
    ///
    /// - Throws: `ProgramFailure` if it cannot be started.
    func run() throws -> Outcome {
        let pipes = try [Pipe(), Pipe()]
        let group = try start(pipes)
        runningGroup = group
        defer { runningGroup = 0 }
        for pipe in pipes { pipe.closeWriting() }
        var outcome = Outcome()
        let hasEnded = read(pipes, of: group, &outcome)
        // The number of the group is reused only after its first process is reaped, below.
        kill(-group, SIGKILL)
        var status: Int32 = 0
        while waitpid(group, &status, 0) < 0, errno == EINTR {}
        outcome.status = status
        if !hasEnded { outcome.ending = "did not end within \(seconds) s" }
        for pipe in pipes { pipe.closeReading() }
        return outcome
    }

    /// Starts the program as the first process of a group.
    private func start(_ pipes: [Pipe]) throws -> pid_t {
        #if canImport(Glibc)
            var actions = posix_spawn_file_actions_t()
            var attributes = posix_spawnattr_t()
        #else
            var actions: posix_spawn_file_actions_t?
            var attributes: posix_spawnattr_t?
        #endif
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
        posix_spawn_file_actions_adddup2(&actions, pipes[0].writing, 1)
        posix_spawn_file_actions_adddup2(&actions, pipes[1].writing, 2)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETPGROUP))
        posix_spawnattr_setpgroup(&attributes, 0)
        var arguments = ([program.path] + words).map { strdup($0) } + [nil]
        defer { for argument in arguments { free(argument) } }
        var process: pid_t = 0
        let code = posix_spawn(
            &process,
            program.path,
            &actions,
            &attributes,
            &arguments,
            environ
        )
        guard code == 0 else {
            throw ProgramFailure(description: "\(program.path): \(String(cString: strerror(code)))")
        }
        return process
    }

    /// Reads both streams until the program ends, or until its time limit.
    ///
    /// Processes that it left may keep the streams open, so only the program itself counts.
    ///
    /// - Returns: Whether the program ended.
    private func read(_ pipes: [Pipe], of process: pid_t, _ outcome: inout Outcome) -> Bool {
        let deadline = ContinuousClock.now + .seconds(seconds)
        var open = [true, true]
        while true {
            let isOver = Self.hasEnded(process)
            var entries = pipes.map { pollfd(fd: $0.reading, events: Int16(POLLIN), revents: 0) }
            for index in entries.indices where !open[index] { entries[index].fd = -1 }
            poll(&entries, nfds_t(entries.count), isOver ? 0 : 20)
            var isQuiet = true
            for index in entries.indices where open[index] && entries[index].revents != 0 {
                let bytes = pipes[index].read()
                if bytes.isEmpty { open[index] = false } else { isQuiet = false }
                if index == 0 {
                    Self.append(bytes, to: &outcome.output, &outcome.isCut)
                } else {
                    Self.append(bytes, to: &outcome.errors, &outcome.isCut)
                }
            }
            if isOver, isQuiet { return true }
            if ContinuousClock.now >= deadline { return isOver }
        }
    }

    private static func append(_ bytes: Data, to data: inout Data, _ isCut: inout Bool) {
        let room = limit - data.count
        data.append(bytes.prefix(room))
        if bytes.count > room { isCut = true }
    }

    /// Whether a process has ended; it stays a zombie.
    private static func hasEnded(_ process: pid_t) -> Bool {
        var info = siginfo_t()
        let options = WEXITED | WNOHANG | WNOWAIT
        guard waitid(P_PID, id_t(process), &info, options) == 0 else { return true }
        return info.si_signo != 0
    }
}

/// The reason why a program cannot be started.
struct ProgramFailure: Error, CustomStringConvertible {
    let description: String
}

/// Two ends of a stream that no other program inherits.
private struct Pipe {
    let reading: Int32
    let writing: Int32

    init() throws {
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else {
            throw ProgramFailure(description: "pipe: \(String(cString: strerror(errno)))")
        }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        (reading, writing) = (ends[0], ends[1])
    }

    func closeReading() { close(reading) }
    func closeWriting() { close(writing) }

    /// Returns the bytes that are there now; nothing at the end.
    func read() -> Data {
        var bytes = [UInt8](repeating: 0, count: 1 << 16)
        let count = bytes.withUnsafeMutableBytes { buffer in
            #if canImport(Glibc)
                Glibc.read(reading, buffer.baseAddress, buffer.count)
            #else
                Darwin.read(reading, buffer.baseAddress, buffer.count)
            #endif
        }
        return Data(bytes.prefix(max(0, count)))
    }
}

/// The group that runs now, for the signals below; 0 if there is none.
///
/// Only one thread runs programs, one after the other. A signal handler only reads the number.
private nonisolated(unsafe) var runningGroup: pid_t = 0

/// A way to end the running group when the user or a supervisor ends this program.
///
/// The group does not belong to the terminal, so Ctrl-C does not reach it.
package enum Interruption {
    package static func endsGroup() {
        for number in [SIGINT, SIGTERM, SIGHUP] {
            signal(number) { number in
                if runningGroup > 0 { kill(-runningGroup, SIGKILL) }
                signal(number, SIG_DFL)
                raise(number)
            }
        }
    }
}
