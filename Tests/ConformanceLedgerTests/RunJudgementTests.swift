import TestSupport
import Testing

@testable import conformance_ledger

@Suite struct `A run of the tests` {
    private static let claims = [
        TestClaim(
            file: "ConformanceTests/F.swift",
            line: 3,
            suites: ["Adding"],
            test: "is refused",
            ids: ["QRY-01", "one-two"]
        ),
        TestClaim(file: "T/G.swift", line: 4, suites: ["Other"], test: "holds", ids: ["QRY-01"]),
        TestClaim(file: "T/G.swift", line: 9, suites: ["Other"], test: "more", ids: ["QRY-02"]),
    ]
    private static let first = "ConformanceTests.Adding/`is refused`(_:)/F.swift:3:2"

    /// A run in which the first test ends so.
    private static func run(_ end: EventStream.End?, cases: Int? = 4) -> String {
        var stream = EventStream()
        if let end { stream.add(first, end, cases: cases) }
        stream.add("T.Other/holds()/G.swift:4:2", .pass)
        stream.add("T.Other/more()/G.swift:9:2", .pass)
        return stream.text
    }

    private static func judgement(
        _ end: EventStream.End?,
        cases: Int? = 4,
        again: String? = nil,
        endpoint: String? = nil
    ) throws -> RunJudgement {
        var results = try TestResults(events: run(end, cases: cases))
        if let again { results = results.replacing(try TestResults(events: again)) }
        let endpoints = try endpoint.map { [("user-daemon", try TestResults(events: $0))] } ?? []
        return RunJudgement(claims: claims, results: results, endpoints: endpoints)
    }

    @Test func `proves the rows whose tests all passed, with their cases`() throws {
        let judgement = try Self.judgement(
            .pass,
            endpoint: EventStream.of(Self.first, .pass, cases: 4)
        )
        #expect(judgement.caseCounts == ["QRY-01": 5, "one-two": 4, "QRY-02": 1])
        #expect(judgement.weaknesses.isEmpty)
        let earlier = ProvenRun(description: "earlier", caseCounts: ["QRY-01": 5, "QRY-02": 1])
        #expect(
            judgement.lostCases(since: earlier).isEmpty
                && judgement.lostRows(since: earlier).isEmpty
        )
    }

    private struct Weakness: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let reason: String
        let judge: @Sendable () throws -> RunJudgement

        init(
            _ name: String,
            _ reason: String,
            _ judge: @escaping @Sendable () throws -> RunJudgement
        ) {
            testDescription = name
            self.reason = reason
            self.judge = judge
        }

        static let all: [Weakness] = [
            Weakness("a test that did not run", "did not run") { try judgement(nil) },
            Weakness("a skipped test", "was skipped") { try judgement(.skipped) },
            Weakness("a cancelled case", "was skipped") { try judgement(.cancelledCase) },
            Weakness("an empty list of arguments", "had no case") {
                try judgement(.pass, cases: 0)
            },
            Weakness("an expected failure", "expects") { try judgement(.passWithKnownIssue) },
            Weakness("a failure", "failed") { try judgement(.fail) },
            Weakness("a test that ran again", "ran again") {
                try judgement(.fail, again: EventStream.of(first, .pass, cases: 4))
            },
            Weakness("an endpoint that did not run it", "at the endpoint user-daemon") {
                try judgement(.pass, endpoint: EventStream.of("T.Other/x()/F.swift:1:1", .pass))
            },
            Weakness("an endpoint where it was skipped", "skipped at the endpoint user-daemon") {
                try judgement(.pass, endpoint: EventStream.of(first, .skipped))
            },
        ]
    }

    @Test(.requirement("RLS-04"), arguments: Weakness.all)
    private func `proves no row that rests on a weakness`(row: Weakness) throws {
        let judgement = try row.judge()
        #expect(judgement.caseCounts == ["QRY-02": 1])
        #expect(judgement.weaknesses.map(\.place) == ["Tests/ConformanceTests/F.swift:3"])
        #expect(judgement.weaknesses.allSatisfy { $0.message.contains(row.reason) })
    }

    @Test func `counts a rerun where that is tolerated, and no other weakness`() throws {
        func judgement(_ end: EventStream.End) throws -> RunJudgement {
            let again = try TestResults(events: EventStream.of(Self.first, end, cases: 4))
            let results = try TestResults(events: Self.run(.fail)).replacing(again)
            return RunJudgement(claims: Self.claims, results: results, toleratesReruns: true)
        }
        #expect(try judgement(.pass).caseCounts["QRY-01"] == 5)
        #expect(try judgement(.skip).caseCounts["QRY-01"] == nil)
        #expect(try judgement(.fail).caseCounts["QRY-01"] == nil)
    }

    @Test(.requirement("RLS-04")) func `loses a row that is tried with fewer cases than before`()
        throws
    {
        let judgement = try Self.judgement(.pass, cases: 3)
        let earlier = ProvenRun(description: "earlier", caseCounts: ["QRY-01": 5, "KEY-09": 1])
        let lost = judgement.lostRows(since: earlier).map(\.message)
        #expect(lost == ["KEY-09 is not proven by this run"])
        let fewer = judgement.lostCases(since: earlier).map(\.message)
        #expect(fewer == ["QRY-01 was tried with 4 cases instead of 5"])
    }
}

@Suite struct `The file of a run` {
    @Test func `reads what it writes`() throws {
        let run = ProvenRun(description: "commit abc, 2 cores", caseCounts: ["A-01": 2, "B-02": 7])
        #expect(try ProvenRun(run.text) == run)
        #expect(run.text == "row\tcases\nrun\tcommit abc, 2 cores\nA-01\t2\nB-02\t7\n")
    }

    @Test(arguments: [
        "", "x\ty\n", "row\tcases\nA-01\tmany\n", "row\tcases\nA-01\t0\n", "row\tcases\nA\n",
    ])
    func `is refused if it is damaged`(text: String) {
        #expect(throws: LedgerProblem.self) { try ProvenRun(text) }
    }
}
