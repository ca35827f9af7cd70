import Foundation
import Glibc

/// A program of the torture: started, killed and started again.
final class TortureProgram {
    private(set) var process: pid_t = 0
    private let log: String

    /// - Parameter log: Where the program's standard error goes.
    init(log: String) { self.log = log }

    deinit { kill() }

    /// Starts a program with this process's environment and what is added to it.
    ///
    /// - Returns: What went wrong; nil for nothing.
    func start(_ words: [String], _ more: [String: String] = [:]) -> String? {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        let flags = O_WRONLY | O_CREAT | O_APPEND
        posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, log, flags, 0o600)
        posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, log, flags, 0o600)
        let own = ProcessInfo.processInfo.environment.merging(more) { $1 }
        var arguments = words.map { strdup($0) } + [nil]
        var environment = own.map { strdup("\($0)=\($1)") } + [nil]
        defer { for word in arguments + environment { free(word) } }
        var child: pid_t = 0
        let code = posix_spawn(&child, words[0], &actions, nil, &arguments, &environment)
        guard code == 0 else {
            return "\(words[0]) cannot be started: \(String(cString: strerror(code)))"
        }
        process = child
        return nil
    }

    /// Ends it as a power cut would.
    func kill() {
        guard process > 0 else { return }
        _ = Glibc.kill(process, SIGKILL)
        var status: Int32 = 0
        while waitpid(process, &status, 0) < 0, errno == EINTR {}
        process = 0
    }

    /// Whether it lives.
    var isAlive: Bool {
        var status: Int32 = 0
        guard process > 0 else { return false }
        if waitpid(process, &status, WNOHANG) == process { process = 0 }
        return process > 0
    }

    /// The last lines that it wrote.
    var lastWords: String {
        let text = try? String(contentsOfFile: log, encoding: .utf8)
        return (text ?? "").split(separator: "\n").suffix(5).joined(separator: " | ")
    }
}
