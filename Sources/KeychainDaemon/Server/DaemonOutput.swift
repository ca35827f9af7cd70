import Glibc
import KeychainModel
import Secrets

/// A daemon's messages: one line per start, refusal and fault, without secrets.
package final class DaemonOutput: Sendable {
    /// The severity of a line, by the numbers of syslog(3).
    package enum Level: Int, Sendable {
        case error = 3
        case warning = 4
        case notice = 5
        case info = 6
    }

    private let name: String
    private let hasLevels: Bool
    /// Whether the journal reads the output.
    package var hasJournal: Bool { hasLevels }
    private let refusals = JournalShare(.refusals)

    /// - Parameters:
    ///   - name: The program's name, which precedes every line for a person.
    ///   - hasLevels: Whether the journal reads the lines, which adds the name itself.
    package init(name: String, hasLevels: Bool) {
        self.name = name
        self.hasLevels = hasLevels
    }

    /// Writes a line.
    package func write(_ level: Level, _ text: String) {
        let front = hasLevels ? "<\(level.rawValue)>" : name + ": "
        let line = Array((front + VisibleText.escaping(text) + "\n").utf8)
        // An error here is ignored, because there is no place to report it.
        _ = line.withUnsafeBytes { Glibc.write(STDERR_FILENO, $0.baseAddress, $0.count) }
    }

    /// Writes a line about a refusal, unless the person had too many recently.
    package func refusal(_ text: String, of person: UInt32) {
        refusals.pass(text, of: person) { write(.warning, $0) }
    }
}
