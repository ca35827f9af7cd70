import Glibc
import Secrets

// Definitions  "period": the time in which a person's lines are counted, from the first one on.
// Invariants   (1) No person's lines keep another person's out of the journal: each person has a
//                  share, and the unit makes the journal accept every line of the daemon.
//              (2) Omitted lines are counted, and a line reports their number. The account's own
//                  log has all of them.

/// The limit of the lines about each person's decisions in the journal.
final class JournalShare: Sendable {
    /// The most lines of a person in a period.
    static let lineLimit = 100
    static let periodSeconds: Int64 = 30

    private struct Tally: Sendable {
        let start: Int64
        var count = 0

        var hiddenCount: Int { max(0, count - JournalShare.lineLimit) }
    }

    private let now: @Sendable () -> Int64
    private let tallies = AdaptiveMutex<[UInt32: Tally]>([:])

    /// - Parameter now: Returns seconds of a clock that never jumps.
    init(now: @escaping @Sendable () -> Int64 = JournalShare.seconds) { self.now = now }

    /// Passes a line on, if the person's share has room for it.
    ///
    /// - Parameters:
    ///   - line: The line, which names the account.
    ///   - person: The person that the account is charged to.
    ///   - write: Writes a line to the journal.
    func pass(_ line: String, of person: UInt32, to write: (String) -> Void) {
        let moment = now()
        let (ended, count) = tallies.withLock { tallies in
            let ended = tallies.filter { moment - $0.value.start >= Self.periodSeconds }
            for person in ended.keys { tallies[person] = nil }
            tallies[person, default: Tally(start: moment)].count += 1
            return (ended, tallies[person]?.count ?? 0)
        }
        for (person, tally) in ended.sorted(by: { $0.key < $1.key }) where tally.hiddenCount > 0 {
            write(
                "account \(person): decisions that are not shown here: \(tally.hiddenCount);"
                    + " keychainctl log has them"
            )
        }
        if count <= Self.lineLimit { write(line) }
        if count == Self.lineLimit {
            write(
                "account \(person): \(count) decisions in less than \(Self.periodSeconds) s; the"
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
