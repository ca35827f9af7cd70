import Glibc
import Secrets

// Law: no descriptor of the embedding program reaches the child but the socket; all of ours are
// closed on exec, and the program's own are its to mark.

/// Another program, with a socket as its standard input and output.
///
/// The program ends with the value, at the latest.
struct ChildProgram: ~Copyable {
    /// How a line came, or why none did.
    enum Line: Sendable {
        case text(SharedSecret)
        /// The program ended, or closed its output.
        case ended
        case tooLong
        /// Nobody wants it any more.
        case unwanted
    }

    /// How long a program has to end when it is told to, before it is killed.
    private static let farewell = Duration.milliseconds(300)

    /// How often it is looked whether a line is still wanted, in milliseconds.
    private static let patience: Int32 = 50

    private let processID: pid_t
    /// What its lines are read from and written to.
    let descriptor: Int32

    /// Starts a program, whose diagnostics go nowhere; nil where it cannot be run.
    ///
    /// - Parameters:
    ///   - path: Its path.
    ///   - arguments: What follows the path.
    ///   - environment: All of its variables; nil for those of this process.
    init?(
        _ path: String,
        _ arguments: [String] = [],
        environment: [String: String]? = nil
    ) {
        var ends: [Int32] = [-1, -1]
        let kind = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
        guard socketpair(AF_UNIX, kind, 0, &ends) == 0 else { return nil }
        defer { close(ends[1]) }
        guard let child = Self.spawn(path, arguments, environment, streams: ends[1]) else {
            close(ends[0])
            return nil
        }
        processID = child
        descriptor = ends[0]
    }

    deinit {
        close(descriptor)
        kill(processID, SIGTERM)
        let end = ContinuousClock.now + Self.farewell
        while waitpid(processID, nil, WNOHANG) == 0 {
            if ContinuousClock.now >= end {
                kill(processID, SIGKILL)
                waitpid(processID, nil, 0)
                return
            }
            usleep(5_000)
        }
    }

    private static func spawn(
        _ path: String,
        _ arguments: [String],
        _ environment: [String: String]?,
        streams: Int32
    ) -> pid_t? {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_adddup2(&actions, streams, STDIN_FILENO)
        posix_spawn_file_actions_adddup2(&actions, streams, STDOUT_FILENO)
        posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0)
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        // The program starts with signals as a shell would give them, whatever this process did.
        var none = sigset_t()
        sigemptyset(&none)
        var all = sigset_t()
        sigfillset(&all)
        posix_spawnattr_setsigmask(&attributes, &none)
        posix_spawnattr_setsigdefault(&attributes, &all)
        // Of a program with a raised group the child gets the real one. Others may have a filter
        // that forbids the calls for this.
        let resets = getegid() != getgid() ? POSIX_SPAWN_RESETIDS : 0
        let flags = POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | resets
        posix_spawnattr_setflags(&attributes, Int16(flags))
        var words = ([path] + arguments).map { strdup($0) } + [nil]
        defer { words.forEach { free($0) } }
        var child: pid_t = 0
        guard let environment else {
            let code = posix_spawn(&child, path, &actions, &attributes, &words, environ)
            return code == 0 ? child : nil
        }
        var variables = environment.map { strdup("\($0)=\($1)") } + [nil]
        defer { variables.forEach { free($0) } }
        let code = posix_spawn(&child, path, &actions, &attributes, &words, &variables)
        return code == 0 ? child : nil
    }

    /// Sends a line.
    ///
    /// - Returns: Whether the program took it.
    borrowing func send(_ line: String) -> Bool {
        var rest = Array((line + "\n").utf8)[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes {
                Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
            }
            guard count > 0 || errno == EINTR else { return false }
            rest = rest.dropFirst(max(count, 0))
        }
        return true
    }

    /// The next line without its newline: byte by byte into memory that is wiped.
    borrowing func line(atMost limit: Int, until deadline: PromptDeadline) -> Line {
        var count = 0
        var end: Line?
        let buffer = Secret(byteCount: limit + 1) { target in
            while end == nil {
                let next = UnsafeMutableRawBufferPointer(rebasing: target[count...count])
                end = byte(into: next, until: deadline)
                if end != nil || next[0] == UInt8(ascii: "\n") { return }
                count += 1
                if count > limit { end = .tooLong }
            }
        }
        if let end { return end }
        return buffer.withUnsafeBytes { bytes in
            .text(
                SharedSecret(Secret(copying: UnsafeRawBufferPointer(rebasing: bytes.prefix(count))))
            )
        }
    }

    /// Waits for the end of the program.
    ///
    /// - Returns: Its status; nil if it was killed, or nobody wants to know any more.
    borrowing func exitStatus(until deadline: PromptDeadline) -> Int32? {
        var info = siginfo_t()
        while deadline.isOpen {
            // It stays to be waited for, so that its number is nobody else's.
            let flags = WEXITED | WNOWAIT | WNOHANG
            guard waitid(P_PID, id_t(processID), &info, flags) == 0 || errno == EINTR else {
                return nil
            }
            if info.si_signo == SIGCHLD {
                return info.si_code == CLD_EXITED ? info._sifields._sigchld.si_status : nil
            }
            usleep(5_000)
        }
        return nil
    }

    /// nil once there is one.
    private borrowing func byte(
        into target: UnsafeMutableRawBufferPointer,
        until deadline: PromptDeadline
    ) -> Line? {
        var request = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        while true {
            guard deadline.isOpen else { return .unwanted }
            guard poll(&request, 1, Self.patience) > 0 else { continue }
            let count = read(descriptor, target.baseAddress, 1)
            if count == 1 { return nil }
            guard count < 0, errno == EINTR else { return .ended }
        }
    }
}
