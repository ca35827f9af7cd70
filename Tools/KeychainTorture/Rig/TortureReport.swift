import Glibc

/// The output of a kind of torture.
///
/// It consists of progress, findings with all arguments to repeat them, and a last line of figures.
///
/// It is a class, because every stage adds to it.
final class TortureReport {
    private let kind: String
    private let start = ContinuousClock.now
    private let deadline: ContinuousClock.Instant?
    private let roundLimit: Int?
    private var figures: [(name: String, count: Int)] = []
    private(set) var findings = 0
    private var nextProgress = ContinuousClock.now + .seconds(5)

    /// - Parameters:
    ///   - kind: The subcommand.
    ///   - seconds: The time limit; the amount of work within it depends on the machine.
    ///   - rounds: The greatest number of complete rounds; one, if both limits are nil.
    init(_ kind: String, seconds: Int?, rounds: Int? = nil) {
        self.kind = kind
        roundLimit = rounds
        deadline = seconds.map { ContinuousClock.now + .seconds($0) }
    }

    /// Whether another round is wanted and fits into the time.
    private func hasTime(afterRounds rounds: Int) -> Bool {
        guard findings == 0 else { return false }
        if let roundLimit, rounds >= roundLimit { return false }
        guard let deadline else { return rounds < roundLimit ?? 1 }
        return ContinuousClock.now < deadline
    }

    /// Runs one round after the other, numbered from 0, while there is time.
    func rounds<Failure>(_ body: (Int) throws(Failure) -> Void) throws(Failure) {
        var round = 0
        while hasTime(afterRounds: round) {
            try body(round)
            round += 1
        }
    }

    /// Whether there is a time limit, and it has passed.
    var isOver: Bool { deadline.map { ContinuousClock.now >= $0 } ?? false }

    func add(_ name: String, _ count: Int = 1) {
        if let place = figures.firstIndex(where: { $0.name == name }) {
            figures[place].count += count
        } else {
            figures.append((name, count))
        }
    }

    /// Returns the present value of a figure.
    func figure(_ name: String) -> Int { figures.first { $0.name == name }?.count ?? 0 }

    /// Reports a finding.
    func found(_ sentence: String, repeatWith arguments: String) {
        findings += 1
        say("\(kind): FINDING: \(sentence)")
        say("  repeat with: keychain-torture \(kind) \(arguments)")
    }

    /// Prints the progress from time to time.
    func progress(_ sentence: @autoclosure () -> String) {
        guard ContinuousClock.now >= nextProgress else { return }
        nextProgress = ContinuousClock.now + .seconds(5)
        say("\(kind): \(sentence())")
    }

    /// Prints the figures.
    ///
    /// - Returns: Whether there were no findings.
    func finish() -> Bool {
        let seconds = (ContinuousClock.now - start) / .milliseconds(1) / 1000
        let counts = figures.map { "\($0.name)=\($0.count)" }.joined(separator: " ")
        say("\(kind): figures \(counts) findings=\(findings) seconds=\(seconds)")
        return findings == 0
    }

    func say(_ line: String) { OutputLine.write(line, to: STDOUT_FILENO) }
}
