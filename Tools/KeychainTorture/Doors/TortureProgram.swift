import Foundation
import Glibc
import ProgramStart

/// A program of the torture, which can be started, killed and started again.
final class TortureProgram {
    private var program: StartedProgram?
    private let log: String

    /// - Parameter log: The file for the program's output.
    init(log: String) { self.log = log }

    /// The process number; 0 if the program does not run.
    var process: pid_t { program?.processID ?? 0 }

    /// Starts a program with this process's environment and some variables more.
    ///
    /// - Returns: The failure; nil if there was none.
    func start(_ words: [String], _ more: [String: String] = [:]) -> String? {
        let file = open(log, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o600)
        guard file >= 0 else { return "\(log): \(String(cString: strerror(errno)))" }
        defer { close(file) }
        let own = ProcessInfo.processInfo.environment.merging(more) { $1 }
        var plan = ProgramPlan(words[0], Array(words.dropFirst()))
        plan.environment = own.map { "\($0)=\($1)" }
        plan.descriptors = [STDOUT_FILENO: file, STDERR_FILENO: file]
        do throws(StartFailure) { program = try plan.start() } catch { return error.description }
        return nil
    }

    /// Ends the program at once, as a power cut would.
    func kill() { program = nil }

    /// Whether the program runs.
    var isAlive: Bool {
        if program?.wait(upTo: .zero) != nil { program = nil }
        return process > 0
    }

    /// The last lines of its output.
    var lastWords: String {
        let text = try? String(contentsOfFile: log, encoding: .utf8)
        return (text ?? "").split(separator: "\n").suffix(5).joined(separator: " | ")
    }
}
