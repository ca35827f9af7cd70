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

    /// The most refusals that are written in a period, so that many of them do not fill the disk.
    private static let limit = 20
    private static let periodSeconds: Int64 = 10

    private struct Tally {
        var start: Int64 = 0
        var count = 0
    }

    private let name: String
    private let hasLevels: Bool
    /// Whether the journal reads the output.
    package var hasJournal: Bool { hasLevels }
    private let refusals = AdaptiveMutex(Tally())

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

    /// Writes a line about a refusal, unless there were too many recently.
    package func refusal(_ text: String) {
        let now = Int64(time(nil))
        let count = refusals.withLock { tally in
            if now - tally.start >= Self.periodSeconds { tally = Tally(start: now) }
            tally.count += 1
            return tally.count
        }
        if count < Self.limit {
            write(.warning, text)
        } else if count == Self.limit {
            write(.warning, "\(text); more refusals in these \(Self.periodSeconds) s are not shown")
        }
    }
}
