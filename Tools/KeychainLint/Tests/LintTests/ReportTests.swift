import Foundation
import LintAnalysis
import LintModel
import LintOutput
import LintRules
import Testing

private let unprotected = """
    import Security
    let item: [String: Any] = [
        kSecClass as String: kSecClassGenericPassword,
        kSecAttrService as String: "notes", kSecAttrAccount as String: name,
        kSecValueData as String: data,
    ]
    let status = SecItemAdd(item as CFDictionary, nil)
    """

private func report(_ text: String, isStrict: Bool = false) -> Report {
    let source = SourceText(path: "App.swift", text: text)
    return Report(
        findings: Lint.findings(text, isStrict: isStrict),
        sources: ["App.swift": source],
        files: [(source, false)],
        resolved: (1, 1),
        invalidComments: Lint.commentProblems(text)
    )
}

private func object(_ text: String) throws -> [String: Any] {
    try #require(JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
}

@Suite struct `A report` {
    @Test(.requirement("LNT-01", "LNT-08"))
    func `shows the line of a finding with a caret below it`() {
        let text = TextOutput(usesColors: false, showsNotes: false).render(report(unprotected))
        #expect(text.contains("App.swift:7:14: warning: "))
        #expect(text.contains("  7 | let status = SecItemAdd(item as CFDictionary, nil)\n"))
        #expect(text.contains("    |              ^~~~~"))
        #expect(text.contains("App.swift:2: The dictionary begins here."))
        #expect(text.contains("[KC201 missing-accessible]"))
    }

    @Test func `looks as the page about the linter shows it`() throws {
        let file = Mutant.repository.appending(path: "Documentation/Linting.md")
        let page = try String(contentsOf: file, encoding: .utf8)
        let parts = page.components(separatedBy: "$ cat Store.swift\n")
        let sides = try #require(
            parts.last?.components(separatedBy: "$ keychain-lint Store.swift\n")
        )
        try #require(parts.count == 2 && sides.count == 2)
        let shown = try #require(sides[1].components(separatedBy: "```").first)
        let command = try Command(["Store.swift": sides[0]])
        let run = try command.run("Store.swift")
        #expect(run.output == shown)
    }

    @Test func `has colors only if asked for`() {
        let plain = TextOutput(usesColors: false, showsNotes: true).render(report(unprotected))
        let colored = TextOutput(usesColors: true, showsNotes: true).render(report(unprotected))
        #expect(!plain.contains("\u{1B}"))
        #expect(colored.contains("\u{1B}[1;33mwarning"))
    }

    @Test(.requirement("LNT-08"))
    func `is JSON`() throws {
        let json = try object(JSONOutput.render(report(unprotected)))
        let findings = try #require(json["findings"] as? [[String: Any]])
        let first = try #require(findings.first { $0["rule"] as? String == "KC201" })
        #expect(first["line"] as? Int == 7)
        #expect(first["severity"] as? String == "warning")
    }

    @Test(.requirement("LNT-08"))
    func `is SARIF 2.1.0 with the members that the standard requires`() throws {
        let json = try object(SARIFOutput.render(report(unprotected)))
        #expect(json["version"] as? String == "2.1.0")
        let run = try #require((json["runs"] as? [[String: Any]])?.first)
        let driver = try #require((run["tool"] as? [String: Any])?["driver"] as? [String: Any])
        #expect(driver["name"] as? String == "keychain-lint")
        let rules = try #require(driver["rules"] as? [[String: Any]])
        let results = try #require(run["results"] as? [[String: Any]])
        for result in results {
            let index = try #require(result["ruleIndex"] as? Int)
            #expect(rules[index]["id"] as? String == result["ruleId"] as? String)
            #expect((result["message"] as? [String: Any])?["text"] is String)
            #expect(["note", "warning", "error"].contains(result["level"] as? String))
        }
    }

    @Test(.requirement("LNT-08"), arguments: Fixture.all.filter(\.isBadFile))
    func `of a fixture has no member of SARIF that the standard has not`(
        fixture: Fixture
    ) throws {
        let text = try String(contentsOf: fixture.path, encoding: .utf8)
        let mark = "// keychain-lint" + ":disable"
        let commented = "\(mark):next missing-class\n\(mark) KC201 -- a reason\n\(text)"
        for text in [text, commented] {
            let json = try object(SARIFOutput.render(report(text)))
            #expect(SARIFShape.faults(in: json) == [])
        }
    }

    @Test(.requirement("LNT-08"))
    func `of parts that were not done has no member that the standard has not`() throws {
        let json = try object(
            SARIFOutput.render(
                [],
                rules: [.init("compiler-error", .error, "The compiler refuses it.")],
                notDone: ["Block 3 was not compiled."]
            )
        )
        #expect(SARIFShape.faults(in: json) == [])
    }

    /// The table of the standard notices each.
    @Test(
        .requirement("LNT-08"),
        arguments: [
            ("\"2.1.0\"", "\"2.0.0\""), ("\"driver\"", "\"engine\""), ("\"text\"", "\"words\""),
            ("\"startLine\" : 7", "\"startLine\" : 0"), ("\"warning\"", "\"warn\""),
            ("\"uri\"", "\"path\""),
        ]
    )
    func `with a departure from SARIF is noticed`(text: String, other: String) throws {
        let sound = try SARIFOutput.render(report(unprotected))
        #expect(sound.contains(text))
        let json = try object(sound.replacingOccurrences(of: text, with: other))
        #expect(SARIFShape.faults(in: json) != [])
    }

    @Test(.requirement("LNT-08"))
    func `is a line for a code host`() {
        let text = AnnotationOutput.render(report(unprotected), showsNotes: false)
        #expect(text.hasPrefix("::warning file=App.swift,line=7,col=14,"))
        #expect(text.split(separator: "\n").count == 1)
    }

    @Test(.requirement("LNT-07"))
    func `keeps what a comment suppresses`() throws {
        let call = "let status = SecItemAdd"
        let comment = "// keychain-lint" + ":disable:next KC201 -- a fixture of the import\n"
        let report = report(unprotected.replacingOccurrences(of: call, with: comment + call))
        #expect(!report.hasErrors)
        #expect(report.active.allSatisfy { $0.rule != "KC201" })
        #expect(report.findings.contains { $0.suppression == "a fixture of the import" })
        let sarif = try SARIFOutput.render(report)
        #expect(sarif.contains("\"inSource\""))
    }

    @Test(.requirement("LNT-07"))
    func `names a comment without a reason`() {
        let text = "// keychain-lint" + ":disable:next KC201\n" + unprotected
        let report = report(text)
        #expect(report.invalidComments.map(\.place.line) == [1])
        #expect(report.active.contains { $0.rule == "KC201" })
    }

    @Test(arguments: [
        ("disable:next KC201", "this comment gives no reason, so it suppresses nothing."),
        ("disable:next -- a reason", "this comment names no rule, so it suppresses nothing."),
        ("disable:this KC999 -- a reason", "no rule is called \"KC999\"."),
        ("disable KC201 -- a reason", "no enable follows, so this comment covers the rest"),
        ("ignore KC201 -- a reason", "the linter does not know \"ignore\"."),
    ])
    func `says what is wrong with a comment`(comment: String, answer: String) {
        let report = report("// keychain-lint" + ":\(comment)\n" + unprotected)
        #expect(report.invalidComments.count == 1)
        let text = TextOutput(usesColors: false, showsNotes: false).render(report)
        #expect(text.contains("App.swift:1: warning: \(answer)"))
    }

    @Test func `accepts a disable that an enable ends`() {
        let mark = "// keychain-lint"
        let text = "\(mark):disable KC201 -- a reason\n\(unprotected)\n\(mark):enable KC201\n"
        #expect(report(text).invalidComments.isEmpty)
    }

    @Test(
        .requirement("LNT-07"),
        arguments: Format.allCases,
        [
            ("disable:next KC201", "gives no reason"),
            ("disable:next KC999 -- a reason", "no rule is called"),
            ("disable:next missing-class -- a reason", "missing-class finds nothing there"),
        ]
    )
    func `shows a comment that suppresses nothing`(
        format: Format,
        problem: (comment: String, answer: String)
    ) throws {
        let report = report("// keychain-lint" + ":\(problem.comment)\n" + unprotected)
        let text =
            switch format {
            case .text: TextOutput(usesColors: false, showsNotes: false).render(report)
            case .json: try JSONOutput.render(report)
            case .sarif: try SARIFOutput.render(report)
            case .annotations: AnnotationOutput.render(report, showsNotes: false)
            }
        #expect(text.contains(problem.answer))
    }

    @Test func `is a result with a rule in SARIF, which code hosts show`() throws {
        let report = report("// keychain-lint" + ":disable:next KC201\n" + unprotected)
        let json = try object(SARIFOutput.render(report))
        let run = try #require((json["runs"] as? [[String: Any]])?.first)
        let driver = try #require((run["tool"] as? [String: Any])?["driver"] as? [String: Any])
        let rules = try #require(driver["rules"] as? [[String: Any]])
        let results = try #require(run["results"] as? [[String: Any]])
        let result = try #require(results.last)
        #expect(result["ruleId"] as? String == CommentProblem.name)
        let index = try #require(result["ruleIndex"] as? Int)
        #expect(rules[index]["id"] as? String == CommentProblem.name)
    }

    @Test func `says nothing about a comment for a rule that did not run`() {
        let mark = "// keychain-lint"
        let text = "\(mark):disable:next KX06,KC603 -- a reason\n\(unprotected)"
        #expect(Lint.commentProblems(text, runsCryptography: false).isEmpty)
        #expect(Lint.commentProblems(text).count == 1)
    }
}

@Suite struct `The settings` {
    private func load(_ text: String) throws -> Configuration {
        let file = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        try Data(text.utf8).write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        return try Configuration.load(file.path)
    }

    @Test(.requirement("LNT-07"))
    func `change a severity`() throws {
        let settings = try load(#"{"rules": {"KC201": "error", "KC105": "off"}}"#)
        let findings = Lint.findings(unprotected, configuration: settings)
        #expect(findings.first { $0.rule == "KC201" }?.severity == .error)
    }

    @Test(.requirement("LNT-07"))
    func `turn a rule off`() throws {
        let settings = try load(#"{"rules": {"missing-accessible": "off"}}"#)
        #expect(
            !Lint.findings(unprotected, configuration: settings).contains { $0.rule == "KC201" }
        )
    }

    @Test(arguments: [
        #"{"rule": {}}"#, #"{"rules": {"KC999": "off"}}"#, #"{"rules": {"KC201": "bad"}}"#,
        #"{"profile": "other"}"#, #"{"platform": "BeOS"}"#, "[]", "{",
    ])
    func `refuse what means nothing`(text: String) {
        #expect(throws: (any Error).self) { try load(text) }
    }

    @Test func `make a missing accessibility an error when strict`() {
        let findings = Lint.findings(unprotected, isStrict: true)
        #expect(findings.first { $0.rule == "KC201" }?.severity == .error)
    }

    @Test func `follow Apple's source on an update of the primary key`() throws {
        let settings = try load(#"{"profile": "appleSource"}"#)
        let file = Lint.root.appending(path: "Fixtures/KC410/bad.swift")
        let text = try String(contentsOf: file, encoding: .utf8)
        let findings = Lint.findings(text, configuration: settings)
        #expect(findings.first { $0.rule == "KC410" }?.severity == .warning)
    }
}

@Suite struct `A baseline` {
    @Test(.requirement("LNT-09"))
    func `leaves out old findings, also after they move`() {
        let old = Lint.findings(unprotected)
        let baseline = Baseline(findings: old, items: [])
        let moved = Lint.findings("// one line more\n" + unprotected)
        #expect(baseline.newFindings(among: moved).isEmpty)
    }

    @Test(.requirement("LNT-09"))
    func `shows a second finding like an old one`() {
        let baseline = Baseline(findings: Lint.findings(unprotected), items: [])
        let twice = unprotected + "\nlet again = SecItemAdd(item as CFDictionary, nil)\n"
        let new = baseline.newFindings(among: Lint.findings(twice)).filter { $0.severity > .note }
        #expect(new.map(\.place.line) == [8])
    }
}

@Suite struct `A fix` {
    @Test func `adds the missing import`() {
        let text = "import Foundation\n\nlet isGone = status == errSecItemNotFound\n"
        let edits = Lint.findings(text).flatMap(\.fixes)
        #expect(
            TextEdit.apply(edits, to: text)
                == "import Foundation\nimport Security\n\n"
                + "let isGone = status == errSecItemNotFound\n"
        )
    }

    @Test func `renames the flags`() {
        let text =
            "import Security\n"
            + "let flags: SecAccessControlCreateFlags = [.touchIDAny, .or, .devicePasscode]\n"
        let edits = Lint.findings(text).flatMap(\.fixes)
        #expect(TextEdit.apply(edits, to: text).contains("[.biometryAny, .or, .devicePasscode]"))
    }
}
