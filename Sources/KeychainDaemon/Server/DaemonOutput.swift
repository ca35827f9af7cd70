import Glibc
import KeychainModel
import Secrets

/// What a daemon says to whoever runs it: one line per start, refusal and fault, no secret.
package final class DaemonOutput: Sendable {
    /// How serious a line is, by the numbers of syslog(3).
    package enum Level: Int, Sendable {
        case error = 3
        case warning = 4
        case notice = 5
        case info = 6
    }

    private let name: String
    private let hasLevels: Bool
    /// Whether the journal reads what is written.
    package var hasJournal: Bool { hasLevels }
    private let refusals = JournalShare(.refusals)

    /// - Parameters:
    ///   - name: The program's name, in front of every line that a person reads.
    ///   - hasLevels: Whether the journal reads the lines, which has the name already.
    package init(name: String, hasLevels: Bool) {
        self.name = name
        self.hasLevels = hasLevels
    }

    /// Writes a line.
    package func write(_ level: Level, _ text: String) {
        let front = hasLevels ? "<\(level.rawValue)>" : name + ": "
        let line = Array((front + VisibleText.escaping(text) + "\n").utf8)
        // A line that cannot be written has nobody to tell.
        _ = line.withUnsafeBytes { Glibc.write(STDERR_FILENO, $0.baseAddress, $0.count) }
    }

    /// Writes a line about a refusal, unless there were too many of the person lately.
    package func refusal(_ text: String, of person: UInt32) {
        refusals.pass(text, of: person) { write(.warning, $0) }
    }
}
