import Glibc
import ProgramStart
import Secrets

/// Another program, with a socket as its standard input and output.
///
/// The program ends with the value at the latest.
struct ChildProgram: ~Copyable {
    /// The outcome of reading a line.
    enum Line: Sendable {
        case text(SharedSecret)
        /// The program ended, or closed its output.
        case ended
        case tooLong
        /// The line is no longer needed.
        case unwanted
    }

    /// The time for a program to end after the request, before it is killed.
    private static let farewell = Duration.milliseconds(300)

    /// The interval for checking whether a line is still needed, in milliseconds.
    private static let patience: Int32 = 50

    private let socket: OwnSocket
    private let program: StartedProgram

    /// The descriptor for its lines.
    var descriptor: Int32 { socket.number }

    /// Starts a program, whose diagnostics are discarded; nil if it cannot be run.
    ///
    /// - Parameters:
    ///   - path: Its absolute path.
    ///   - arguments: Its arguments after the path.
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
        let socket = OwnSocket(number: ends[0])
        var plan = ProgramPlan(path, arguments)
        plan.environment =
            environment.map { $0.map { "\($0)=\($1)" } } ?? GivenEnvironment.remainder
        plan.descriptors = [STDIN_FILENO: ends[1], STDOUT_FILENO: ends[1]]
        plan.farewell = Self.farewell
        guard let program = try? plan.start() else { return nil }
        self.socket = socket
        self.program = program
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

    /// Reads the next line without its newline, byte by byte into memory that is wiped.
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
    /// - Returns: Its status; nil if it was killed, or the status is no longer needed.
    borrowing func exitStatus(until deadline: PromptDeadline) -> Int32? {
        var info = siginfo_t()
        while deadline.isOpen {
            // The process stays waitable, so that its number is not reused.
            let flags = WEXITED | WNOWAIT | WNOHANG
            guard waitid(P_PID, id_t(program.processID), &info, flags) == 0 || errno == EINTR else {
                return nil
            }
            if info.si_signo == SIGCHLD {
                return info.si_code == CLD_EXITED ? info._sifields._sigchld.si_status : nil
            }
            usleep(5_000)
        }
        return nil
    }

    /// Reads a byte; nil once there is one.
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

/// This process's end of the connection.
private struct OwnSocket: ~Copyable {
    let number: Int32

    deinit { close(number) }
}
