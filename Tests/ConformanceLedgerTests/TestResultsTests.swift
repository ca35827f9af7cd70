import TestSupport
import Testing

@testable import conformance_ledger

@Suite struct `Reading test results` {
    private static let run: String = {
        var stream = EventStream()
        stream.add("T.`free \"one\"`()/F.swift:1:2", .pass)
        stream.add("T.`A suite`/`holds / so`(row:)/F.swift:2:2", .pass, cases: 3)
        stream.add("T.`A suite`/Inner/`fails & stays`()/F.swift:3:2", .fail)
        stream.add("T.`A suite`/Inner/later()/F.swift:4:2", .skipped)
        stream.add("T.Other/plain()/F.swift:5:2", .pass)
        stream.add("T.Other/none(_:)/F.swift:6:2", .pass, cases: 0)
        stream.add("T.Other/expected()/F.swift:7:2", .passWithKnownIssue)
        stream.add("T.Other/half(_:)/F.swift:8:2", .cancelledCase, cases: 1)
        return stream.text
    }()

    private struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let suites: [String]
        let test: String?
        let record: TestResults.Record?

        init(
            _ name: String,
            _ suites: [String],
            _ test: String?,
            _ outcome: TestResults.Outcome?,
            _ count: Int = 0
        ) {
            testDescription = name
            self.suites = suites
            self.test = test
            record = outcome.map { TestResults.Record(outcome: $0, caseCount: count) }
        }

        static let all: [Row] = [
            Row("a free function", [], "free \"one\"", .passed, 1),
            Row("a slash in a name", ["A suite"], "holds / so", .passed, 3),
            Row("a failure", ["A suite", "Inner"], "fails & stays", .failed, 1),
            Row("a skip", ["A suite", "Inner"], "later", .skipped),
            Row("a pass", ["Other"], "plain", .passed, 1),
            Row("no arguments", ["Other"], "none", .passed, 0),
            Row("an expected failure", ["Other"], "expected", .expectedFailure, 1),
            Row("a cancelled case", ["Other"], "half", .skipped, 1),
            Row("a test that is not there", ["Other"], "absent", nil),
            Row("a whole suite", ["A suite"], nil, .failed, 4),
            Row("a suite that is not there", ["Nowhere"], nil, nil),
        ]
    }

    @Test(arguments: Row.all)
    private func `finds an outcome by suites and name`(row: Row) throws {
        let claim = TestClaim(
            file: "T/F.swift",
            line: 1,
            suites: row.suites,
            test: row.test,
            ids: ["X"]
        )
        #expect(try TestResults(events: Self.run).record(of: claim) == row.record)
    }

    @Test func `counts the worst outcome of several files, and all cases`() throws {
        let id = "T.Other/plain(_:)/F.swift:5:2"
        let passed = EventStream.of(id, .pass, cases: 2)
        let failed = EventStream.of(id, .fail, cases: 1)
        let claim = TestClaim(file: "T/F", line: 1, suites: ["Other"], test: "plain", ids: ["X"])
        let both = try TestResults(events: [failed, passed])
        #expect(both.record(of: claim) == TestResults.Record(outcome: .failed, caseCount: 3))
        #expect(both.failures == ["T.Other › plain"])
        #expect(throws: LedgerProblem.self) { try TestResults(events: [passed, "cut"]) }
    }

    @Test(.requirement("RLS-04")) func `takes nothing for proven that passed when it ran again`()
        throws
    {
        let id = "T.Other/plain()/F.swift:5:2"
        let (passed, failed) = (EventStream.of(id, .pass), EventStream.of(id, .fail))
        let claim = TestClaim(file: "T/F", line: 1, suites: ["Other"], test: "plain", ids: ["X"])
        let again = try TestResults(events: failed).replacing(try TestResults(events: passed))
        #expect(again.record(of: claim)?.outcome == .rerun)
        #expect(
            again.replacing(try TestResults(events: failed)).record(of: claim)?.outcome == .failed
        )
    }

    @Test(arguments: [
        ("nothing", ""),
        ("no JSON", "not json"),
        ("a run without tests", EventStream().text),
        (
            "a run that was killed",
            {
                var stream = EventStream()
                stream.add("T.Other/plain()/F.swift:5:2", .pass)
                return stream.cut
            }()
        ),
    ])
    func `refuses a file without complete results`(label: String, text: String) {
        #expect(throws: LedgerProblem.self) { try TestResults(events: text) }
    }

    @Test(arguments: ["", "Module", "Module.", "M.`open", "M./x"])
    func `refuses names without a module and a suite`(id: String) {
        #expect(TestName(id) == nil)
    }
}
