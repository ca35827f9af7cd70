import Testing

@testable import conformance_ledger

@Suite struct `Reading test results` {
    private static let run = """
        <testsuites>
          <testsuite name="TestResults" errors="0" tests="5" failures="1" skipped="1" time="0.1">
            <testcase classname="T" name="`free "one"`()" time="0.1" />
            <testcase classname="T.`A suite`" name="`holds (so)`(row:)" time="0.1" />
            <testcase classname="T.`A suite`.Inner" name="`fails & stays`()" time="0.1" >
              <failure message="Expectation failed" />
            </testcase>
            <testcase classname="T.`A suite`.Inner" name="later()" >
              <skipped>not now</skipped>
            </testcase>
            <testcase classname="T.Other" name="plain()" time="0.1" />
          </testsuite>
        </testsuites>
        """

    private func outcome(_ suites: [String], _ test: String?) throws -> TestResults.Outcome? {
        let claim = TestClaim(file: "T/F.swift", line: 1, suites: suites, test: test, ids: ["X"])
        return try TestResults(xunit: Self.run).outcome(of: claim)
    }

    @Test(
        arguments: [
            ([], "free \"one\"", .passed),
            (["A suite"], "holds (so)", .passed),
            (["A suite", "Inner"], "fails & stays", .failed),
            (["A suite", "Inner"], "later", .skipped),
            (["Other"], "plain", .passed),
            (["Other"], "absent", nil),
            (["A suite"], nil, .failed),
            (["Other"], nil, .passed),
            (["Nowhere"], nil, nil),
        ] as [([String], String?, TestResults.Outcome?)]
    )
    func `an outcome is found by suites and name`(
        suites: [String],
        test: String?,
        expected: TestResults.Outcome?
    ) throws {
        #expect(try outcome(suites, test) == expected)
    }

    @Test func `of several files, the worst outcome counts, unless a test was run again`() throws {
        let passed = "<testcase classname=\"T.Other\" name=\"plain()\" time=\"0.1\" />"
        let failed =
            "<testcase classname=\"T.Other\" name=\"plain()\" time=\"0.1\" >\n"
            + "<failure message=\"no\" />\n</testcase>"
        let other = TestClaim(
            file: "T/F.swift",
            line: 1,
            suites: ["Other"],
            test: "plain",
            ids: ["X"]
        )
        #expect(try TestResults(xunit: [failed, passed]).outcome(of: other) == .failed)
        #expect(try TestResults(xunit: [Self.run, passed]).outcome(of: other) == .passed)
        #expect(throws: LedgerProblem.self) { try TestResults(xunit: [passed, "cut"]) }
        let again = try TestResults(xunit: failed).replacing(try TestResults(xunit: passed))
        #expect(again.outcome(of: other) == .passed)
        #expect(again.replacing(try TestResults(xunit: failed)).outcome(of: other) == .failed)
    }

    @Test(arguments: [
        "",
        "not xml",
        "<testsuites>\n</testsuites>",
        "<testcase classname=\"T\" name=\"cut()\" time=\"0.1\" >\n  <failure",
        "<testcase classname=\"T\" name=",
    ])
    func `a file without complete results is refused`(text: String) {
        #expect(throws: LedgerProblem.self) { try TestResults(xunit: text) }
    }
}
