import Glibc
import Secrets

// Definitions  "period": the time in which a person's lines are counted, from the first one on.
// Invariants   (1) No person's lines keep another person's out of the journal: each person has a
//                  share, and the unit makes the journal accept every line of the daemon.
//              (2) Omitted lines are counted, and a line reports their number. An account's own
//                  log has all its decisions.

/// Limits the lines about each person in the journal.
final class JournalShare: Sendable {
    /// A subject of lines; each is counted apart.
    struct Kind: Sendable {
        /// The subject, in the plural.
        let name: String
        /// The most lines of a person in a period.
        let lineLimit: Int
        let periodSeconds: Int64
        /// The place of omitted lines, in words; empty if there is none.
        let elsewhere: String

        static let decisions = Kind(
            name: "decisions",
            lineLimit: 100,
            periodSeconds: 30,
            elsewhere: "; keychainctl log has them"
        )
        static let refusals = Kind(
            name: "refusals",
            lineLimit: 20,
            periodSeconds: 10,
            elsewhere: ""
        )
    }

    private struct Tally: Sendable {
        let start: Int64
        var count = 0
    }

    private let kind: Kind
    private let now: @Sendable () -> Int64
    private let tallies = AdaptiveMutex<[UInt32: Tally]>([:])

    /// - Parameters:
    ///   - kind: The subject of the lines.
    ///   - now: Returns seconds of a clock that never jumps.
    init(_ kind: Kind, now: @escaping @Sendable () -> Int64 = JournalShare.seconds) {
        self.kind = kind
        self.now = now
    }

    /// Passes a line on, if the person's share has room for it.
    ///
    /// - Parameters:
    ///   - line: The line, which names the account.
    ///   - person: The person that the account is charged to.
    ///   - write: Writes a line to the journal.
    func pass(_ line: String, of person: UInt32, to write: (String) -> Void) {
        let moment = now()
        let (ended, count) = tallies.withLock { tallies in
            let ended = tallies.filter { moment - $0.value.start >= kind.periodSeconds }
            for person in ended.keys { tallies[person] = nil }
            tallies[person, default: Tally(start: moment)].count += 1
            return (ended, tallies[person]?.count ?? 0)
        }
        for (person, tally) in ended.sorted(by: { $0.key < $1.key }) {
            let hiddenCount = tally.count - kind.lineLimit
            guard hiddenCount > 0 else { continue }
            write(
                "account \(person): \(kind.name) that are not shown here: \(hiddenCount)"
                    + kind.elsewhere
            )
        }
        if count <= kind.lineLimit { write(line) }
        if count == kind.lineLimit {
            write(
                "account \(person): \(count) \(kind.name) in less than \(kind.periodSeconds) s; the"
                    + " next ones are not shown here"
            )
        }
    }

    @Sendable static func seconds() -> Int64 {
        var time = timespec()
        // This clock cannot fail.
        clock_gettime(CLOCK_MONOTONIC, &time)
        return Int64(time.tv_sec)
    }
}
