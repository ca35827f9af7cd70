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

    /// How many lines of one kind are written in a period; a storm of refusals fills no disk.
    private static let limit = 20
    private static let periodSeconds: Int64 = 10

    private struct Tally {
        var start: Int64 = 0
        var count = 0
    }

    private let name: String
    private let hasLevels: Bool
    /// Whether the journal reads what is written.
    package var hasJournal: Bool { hasLevels }
    private let refusals = AdaptiveMutex(Tally())

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

    /// Writes a line about a refusal, unless there were too many lately.
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
