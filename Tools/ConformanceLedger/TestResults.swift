import Foundation

/// The outcome of each test of a run, from the event streams of `swift test`.
struct TestResults: Equatable, Sendable {
    /// The outcome of a test, the best first.
    enum Outcome: Int, Comparable, Sendable {
        case passed
        /// The test passed, with an expected failure.
        case expectedFailure
        /// The test failed, and passed when it ran again.
        case rerun
        case skipped
        case failed

        static func < (left: Outcome, right: Outcome) -> Bool { left.rawValue < right.rawValue }

        /// The words after "which was" or "which" in a message.
        var words: String {
            switch self {
            case .passed: "passed"
            case .expectedFailure: "passed with a failure that it expects"
            case .rerun: "passed only when it ran again"
            case .skipped: "was skipped"
            case .failed: "failed"
            }
        }
    }

    /// The worst outcome of one or several tests, and the number of cases that ended.
    struct Record: Equatable, Sendable {
        var outcome: Outcome
        var caseCount: Int
    }

    private var records: [TestName: Record] = [:]

    /// Reads the texts of several files, of several packages or processes.
    ///
    /// - Throws: `LedgerProblem` if one of them is incomplete.
    init(events texts: [String]) throws(LedgerProblem) {
        for text in texts {
            for (name, record) in try TestResults(events: text).records {
                merge(record, of: name)
            }
        }
    }

    /// Reads the text of a file.
    ///
    /// - Throws: `LedgerProblem` if a line does not belong to a stream, or if the run did not end.
    init(events text: String) throws(LedgerProblem) {
        let decoder = JSONDecoder()
        var parameterized: Set<TestName> = []
        var hasEnded = false
        for (number, line) in text.split(separator: "\n").enumerated() {
            guard let event = try? decoder.decode(TestEvent.self, from: Data(line.utf8)) else {
                throw LedgerProblem("results:\(number + 1)", "the line is no event of a test run")
            }
            let payload = event.payload
            hasEnded = hasEnded || (event.kind == "event" && payload.kind == "runEnded")
            guard let name = (payload.id ?? payload.testID).flatMap(TestName.init),
                name.test != nil
            else { continue }
            if event.kind == "test" {
                if payload.isParameterized == true { parameterized.insert(name) }
            } else {
                note(payload, of: name, isParameterized: parameterized.contains(name))
            }
        }
        guard hasEnded else { throw LedgerProblem("results", "the run did not end") }
        guard !records.isEmpty else { throw LedgerProblem("results", "no test ran") }
    }

    private mutating func note(
        _ payload: TestEvent.Payload,
        of name: TestName,
        isParameterized: Bool
    ) {
        switch payload.kind {
        case "testCaseEnded" where isParameterized:
            merge(Record(outcome: .passed, caseCount: 1), of: name)
        case "testSkipped", "testCancelled", "testCaseCancelled":
            merge(Record(outcome: .skipped, caseCount: 0), of: name)
        case "testEnded":
            let symbols = payload.messages?.map(\.symbol) ?? []
            let outcome: Outcome =
                if symbols.contains("fail") {
                    .failed
                } else if symbols.contains("passWithKnownIssue") {
                    .expectedFailure
                } else if symbols.contains("skip") {
                    .skipped
                } else { .passed }
            merge(Record(outcome: outcome, caseCount: isParameterized ? 0 : 1), of: name)
        default: break
        }
    }

    private mutating func merge(_ record: Record, of name: TestName) {
        let known = records[name]
        records[name] = Record(
            outcome: max(known?.outcome ?? .passed, record.outcome),
            caseCount: (known?.caseCount ?? 0) + record.caseCount
        )
    }

    /// Returns the worst outcome and the cases of the tests that a claim names.
    ///
    /// It is nil if none of them ran.
    func record(of claim: TestClaim) -> Record? {
        let nested = claim.className + "."
        let found = records.filter { name, _ in
            guard let test = claim.test else {
                return name.className == claim.className || name.className.hasPrefix(nested)
            }
            return name.test == test && name.className == claim.className
        }
        guard !found.isEmpty else { return nil }
        return Record(
            outcome: found.values.map(\.outcome).max() ?? .failed,
            caseCount: found.values.reduce(0) { $0 + $1.caseCount }
        )
    }

    /// The names of the tests that failed, in alphabetical order.
    var failures: [String] {
        records.filter { $0.value.outcome == .failed }
            .map { "\($0.key.className) › \($0.key.test ?? "")" }.sorted()
    }

    /// Returns these results with the new outcomes of the tests that ran again.
    ///
    /// A test that passes in the second run proves nothing.
    func replacing(_ again: TestResults) -> TestResults {
        var results = self
        for (name, record) in again.records {
            let outcome = record.outcome == .passed ? Outcome.rerun : record.outcome
            results.records[name] = Record(outcome: outcome, caseCount: record.caseCount)
        }
        return results
    }
}
