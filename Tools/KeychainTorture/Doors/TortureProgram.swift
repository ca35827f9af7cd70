import Foundation
import Glibc
import ProgramStart

/// A program of the torture: started, killed and started again.
final class TortureProgram {
    private var program: StartedProgram?
    private let log: String

    /// - Parameter log: Where the program's output goes.
    init(log: String) { self.log = log }

    /// The process number; 0 if it does not run.
    var process: pid_t { program?.processID ?? 0 }

    /// Starts a program with this process's environment and what is added to it.
    ///
    /// - Returns: What went wrong; nil for nothing.
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

    /// Ends it as a power cut would.
    func kill() { program = nil }

    /// Whether it lives.
    var isAlive: Bool {
        if program?.wait(upTo: .zero) != nil { program = nil }
        return process > 0
    }

    /// The last lines that it wrote.
    var lastWords: String {
        let text = try? String(contentsOfFile: log, encoding: .utf8)
        return (text ?? "").split(separator: "\n").suffix(5).joined(separator: " | ")
    }
}
