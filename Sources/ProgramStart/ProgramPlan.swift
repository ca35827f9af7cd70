import Glibc

// Laws  (1) A program gets only the descriptors that its plan names: the child closes all others,
//           including those that other code of this process opened.
//       (2) A program of a process with a raised user or group starts without it.
//       (3) Every signal is default and unblocked, unless the plan states the user's settings.
//       (4) A program ends with its `StartedProgram`, at the latest. After `detach`, the program
//           itself or another process is responsible for its end.
//       (5) A program with a group of its own ends with its whole group, and a program whose
//           output is collected has limits for time and bytes.
//       (6) No code waits for the end of a pipe, because other programs may have inherited it.
//           The end of the program counts.
//
// posix_spawn(3) starts every program, so no code of ours runs between fork(2) and execve(2).
// Three other places start programs. Each obeys laws 1 to 3 without this file:
// - keychainctl and keychain-ssh-agent become another program with execve(2). The user's command
//   replaces them, so it has their process number, terminal and parent. All our descriptors are
//   close-on-exec, and the command keeps those that the user's shell passed on.
// - `witness_spawn` (CWitness) uses fork(2): the daemon starts it before it has threads, and the
//   witness must have an empty environment and two descriptors.
// - The PAM module (PAMKeychain) uses fork(2): the child takes on the rights of an account before
//   execve(2), which posix_spawn(3) cannot do. No Swift is loaded into the host program.

/// A program to start, with its arguments, variables and descriptors.
///
/// ```swift
/// var plan = ProgramPlan("/usr/bin/openssl", ["version"])
/// plan.environment = ["LC_ALL=C"]
/// let outcome = try plan.run(within: RunLimits(time: .seconds(5)))
/// ```
/// - Source: posix_spawn(3).
package struct ProgramPlan: Sendable {
    /// The process group that a program joins.
    package enum Group: Sendable {
        /// The group of this process, whose terminal signals the program gets, too.
        case inherited
        /// A new group. All that is left of it is killed when the program ends.
        case own
        /// A new session without a terminal, which is a new group, too.
        case session
    }

    /// The signals that a program starts with.
    package enum Signals: Sendable {
        /// All are default and unblocked.
        case fresh
        /// Those in `reset` are default. Others stay as in this process, and `mask` is blocked.
        case given(mask: sigset_t, reset: sigset_t)
    }

    /// The absolute path.
    package var path: String
    /// The program's own name, as it sees it; nil for the path.
    package var name: String?
    /// The arguments after the name.
    package var arguments: [String]
    /// All variables, each as `NAME=value`.
    package var environment: [String]
    /// The descriptors of the program: its number, then ours.
    ///
    /// Each of 0, 1 and 2 that is missing is `/dev/null`.
    package var descriptors: [Int32: Int32] = [:]
    /// Whether `run` collects standard error as a part of standard output.
    package var joinsErrors = false
    /// The working directory; nil for that of this process.
    package var directory: String?
    package var group: Group = .inherited
    package var signals: Signals = .fresh
    /// The time between `SIGTERM` and `SIGKILL` if the program is ended; zero for `SIGKILL` alone.
    package var farewell: Duration = .zero

    /// - Parameters:
    ///   - path: The absolute path; `ProgramSearch` finds it by a name.
    ///   - arguments: The arguments after the program's name.
    ///   - environment: All variables of the program.
    package init(_ path: String, _ arguments: [String] = [], environment: [String] = []) {
        self.path = path
        self.arguments = arguments
        self.environment = environment
    }

    /// Starts the program.
    ///
    /// - Throws: `StartFailure` if it cannot be started, such as `ENOENT`.
    package func start() throws(StartFailure) -> StartedProgram {
        let number = try spawn()
        return StartedProgram(number, ownsGroup: group != .inherited, farewell: farewell)
    }
}

/// The reason why a program was not started.
package struct StartFailure: Error, Equatable, CustomStringConvertible {
    package let path: String
    /// An error number of the system, such as `ENOENT`.
    package let code: Int32

    package init(_ path: String, _ code: Int32) {
        self.path = path
        self.code = code
    }

    package var reason: String { String(cString: strerror(code)) }

    package var description: String { "\(path) cannot be started: \(reason)" }
}
