import Foundation
import LintModel
import LintOutput
import LintRules
import Testing

@Suite struct `A checklist` {
    private struct Line {
        let text: String
        let outcome: String
        let evidence: String
        let group: String?
    }

    /// Returns the lines of a checklist for a project of one app file and one test file.
    private static func lines(
        _ name: String,
        findings: [Finding] = [],
        app: String = "",
        test: String = ""
    ) throws -> [Line] {
        let checklist = try #require(Checklist.named(name))
        let report = Report(
            findings: findings,
            sources: [:],
            files: [
                (SourceText(path: "App.swift", text: app), false),
                (SourceText(path: "AppTests.swift", text: test), true),
            ],
            resolved: (0, 0),
            invalidComments: []
        )
        let text = try ChecklistReport(checklist, report).json()
        let json = try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any]
        let items = try #require(json?["items"] as? [[String: Any]])
        return try items.map { item in
            Line(
                text: try #require(item["item"] as? String),
                outcome: try #require(item["outcome"] as? String),
                evidence: try #require(item["evidence"] as? String),
                group: item["group"] as? String
            )
        }
    }

    /// Returns a finding for each of these rules.
    private static func findings(_ rules: [String]) -> [Finding] {
        let place = SourceText(path: "App.swift", text: "x").place(ofLine: 1)
        return rules.map { Finding(rule: $0, severity: .warning, message: "", place: place) }
    }

    /// Returns all rules that items of a list require.
    private static func rules(_ name: String) -> [String] {
        (Checklist.named(name)?.items ?? []).flatMap { item -> [String] in
            if case .rules(let rules) = item.proof { rules } else { [] }
        }
    }

    private static let device =
        "let phone = try SimulatedDevice()\n#if os(macOS)\n#endif\nmigrate()"
        + "\nrollback()\nmove(teamIdentifier: old)"

    /// Code for the subject of each item.
    private static let subjects = """
        SecItemAdd, SecAccessControl, kSecAttrGeneric, kSecAttrAccessGroup, SecKey, ReuseDuration,
        kSecAttrSynchronizable, ThisDeviceOnly, WhenPasscodeSet, http, Certificate, Identity,
        migrate
        """

    /// Returns the outcomes for code without mistakes, and for code with all of them.
    private static func outcomes(_ name: String) throws -> (clean: [String], wrong: [String]) {
        let clean = try lines(name, app: subjects, test: device).map(\.outcome)
        let wrong = try lines(
            name,
            findings: findings(rules(name)),
            app: "import KeychainAccess\nlet oldTeam = 1"
        )
        return (clean, wrong.map(\.outcome))
    }

    @Test(.requirement("DOC-01"))
    func `of the access control guide has 11 items that pass or fail`() throws {
        let outcomes = try Self.outcomes("access-control")
        #expect(outcomes.clean == Array(repeating: "pass", count: 11))
        #expect(outcomes.wrong == Array(repeating: "fail", count: 11))
    }

    @Test(.requirement("DOC-02"))
    func `of the migration guide has 11 items that pass or fail`() throws {
        let outcomes = try Self.outcomes("migration")
        #expect(outcomes.clean == Array(repeating: "pass", count: 11))
        #expect(outcomes.wrong == Array(repeating: "fail", count: 11))
    }

    @Test(
        .requirement("DOC-02"),
        arguments: ["DeferredCleanup(after: .days(30))", "rollback()", "TeamBridge(old)"]
    )
    func `takes a test of the migration for evidence`(test: String) throws {
        let outcomes = try Self.lines("migration", test: test)[8...9].map(\.outcome)
        #expect(outcomes.contains("pass"))
    }

    @Test(.requirement("DOC-04"))
    func `counts a test on a simulated Mac as one on macOS`() throws {
        let test = "let mac = try SimulatedDevice(system: .macOS(26))"
        let line = try Self.lines("overview", test: test).first { $0.text == "Tests run on macOS" }
        #expect(line?.outcome == "pass")
    }

    @Test(.requirement("DOC-03"))
    func `of the item classes guide has 11 items that pass or fail`() throws {
        let outcomes = try Self.outcomes("item-classes")
        #expect(outcomes.clean == Array(repeating: "pass", count: 11))
        #expect(outcomes.wrong == Array(repeating: "fail", count: 11))
    }

    @Test(.requirement("DOC-04"))
    func `of the overview has 20 items in six groups that pass or fail`() throws {
        let outcomes = try Self.outcomes("overview")
        #expect(outcomes.clean == Array(repeating: "pass", count: 20))
        #expect(outcomes.wrong == Array(repeating: "fail", count: 20))
        #expect(Set(try Self.lines("overview").map(\.group)).count == 6)
    }

    @Test(.requirement("DOC-02"))
    func `asks about a new team where the code shows none`() throws {
        let line = try Self.lines("migration", app: Self.subjects)[9]
        #expect(line.outcome == "open")
        #expect(line.evidence == "Did the app ever ship with another team identifier?")
        #expect(try Self.lines("migration", app: "let oldTeam = 1")[9].outcome == "fail")
    }

    @Test(.requirement("DOC-02"))
    func `names in evidence what a test would contain`() throws {
        let line = try Self.lines("migration", app: Self.subjects)[10]
        #expect(
            line.evidence == "no test contains migrate or Migration or SimulatedDevice"
        )
    }

    @Test(arguments: Checklist.all.map(\.name))
    func `does not pass an item that the code has nothing of`(name: String) throws {
        let empty = try Self.lines(name, app: "struct Nothing {}", test: Self.device)
        let items = try #require(Checklist.named(name)).items
        let expected = items.map { item in
            switch item.proof {
            case .rules: "none"
            case .test, .absence, .question: "pass"
            }
        }
        #expect(empty.map(\.outcome) == expected)
    }

    @Test(.requirement("DOC-04"))
    func `counts a test on a simulated device as one on a locked device`() throws {
        let text = "Tests run on a locked device"
        let with = try Self.lines("overview", test: Self.device).filter { $0.text == text }
        #expect(with.map(\.outcome) == ["pass"])
        #expect(with.map(\.evidence) == ["AppTests.swift"])
        // The same words in the app are no test.
        let without = try Self.lines("overview", app: Self.device).filter { $0.text == text }
        #expect(without.map(\.outcome) == ["fail"])
    }

    @Test(arguments: Checklist.all.map(\.name))
    func `fails an item for each of its rules, and for no other`(name: String) throws {
        let checklist = try #require(Checklist.named(name))
        let wrong = try checklist.items.enumerated().flatMap { index, item -> [String] in
            guard case .rules(let rules) = item.proof else { return [] }
            return try rules.filter { rule in
                let lines = try Self.lines(name, findings: Self.findings([rule]), test: Self.device)
                return lines[index].outcome != "fail" || !lines[index].evidence.hasPrefix(rule)
            }
        }
        #expect(wrong == [])
    }

    @Test func `asks for rules that exist`() {
        let rules = Checklist.all.map(\.name).flatMap(Self.rules)
        #expect(rules.filter { Catalogue.byID[$0] == nil } == [])
    }
}
