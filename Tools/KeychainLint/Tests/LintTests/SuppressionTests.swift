import Foundation
import Testing

/// An add that ignores its status, which is an error of KC501.
private let ignored = """
    import Security
    func save(_ item: CFDictionary) {
        SecItemAdd(item, nil)
    }

    """

/// Code with a comment to the linter, in whatever form, before the line with the mistake.
private func code(_ line: String) -> String {
    ignored.replacingOccurrences(of: "    SecItemAdd", with: "\(line)\n    SecItemAdd")
}

private let mark = "keychain-lint"

@Suite(.requirement("LNT-07")) struct `A comment that suppresses` {
    private func errors(_ text: String, _ words: String...) throws -> Bool {
        let command = try Command(["Store.swift": text])
        return try command.run(words + ["Store.swift"]).output.contains("[KC501 ignored-status]")
    }

    @Test(arguments: ["KC501", "kc501", "ignored-status", "Ignored-Status"])
    func `names the rule in any case`(name: String) throws {
        #expect(try errors(ignored))
        #expect(try !errors(code("    // \(mark):disable:next \(name) -- a reason")))
    }

    @Test(arguments: [
        "    let text = \"// \(mark):disable:next KC501 -- a reason\"",
        "    let text = \"\"\"\n        // \(mark):disable KC501 -- a reason\n        \"\"\"",
        "    /*\n    // \(mark):disable KC501 -- a reason\n    */",
        "    let text = #\"// \(mark):disable:next KC501 -- a reason\"#",
    ])
    func `is a comment, not a text that looks like one`(line: String) throws {
        #expect(try errors(code(line)))
    }

    @Test func `in a string is no problem either`() throws {
        let text = code("    let text = \"// \(mark):disable:next KC999\"")
        let run = try Command(["Store.swift": text]).run("Store.swift")
        #expect(!run.output.contains("invalid-suppression"))
    }

    @Test(arguments: ["\u{2013}", "\u{2014}"])
    func `with a dash for the hyphens gets one warning`(dash: String) throws {
        let text = code("    // \(mark):disable:next KC501 \(dash) a long reason")
        let run = try Command(["Store.swift": text]).run("Store.swift")
        let warnings = run.output.split(separator: "\n").filter { $0.contains("invalid-supp") }
        #expect(warnings.count == 1)
        #expect(warnings.first?.contains("Write two hyphens, \"--\", before the reason.") == true)
        #expect(run.status == 1)
    }

    @Test func `counts for nothing with --no-suppressions`() throws {
        let text = code("    // \(mark):disable:next KC501 -- a reason")
        #expect(try !errors(text))
        #expect(try errors(text, "--no-suppressions"))
    }
}

@Suite(.requirement("LNT-07")) struct `A verdict with suppressed findings` {
    private func run(_ words: String...) throws -> Command.Outcome {
        let text = code("    // \(mark):disable:next KC501 -- stored or not, all is well")
        let lintOnly = ["check-code", "--package", "/nowhere"]
        return try Command(["Store.swift": text]).run(lintOnly + words + ["."])
    }

    @Test func `lists and counts them`() throws {
        let text = try run().output
        let reason = "stored or not, all is well"
        #expect(text.contains("Store.swift:4: suppressed error [KC501]: \(reason)\n"), "\(text)")
        #expect(text.contains("lint     1 file, 0 errors, 0 warnings, 1 suppressed\n"))
        #expect(text.contains("verdict: warnings, 1 suppressed\n"))
    }

    @Test func `has them in JSON, with the reason`() throws {
        let text = try run("--format", "json").output
        let json = try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any]
        let listed = json?["suppressed"] as? [[String: Any]]
        #expect(listed?.map { $0["rule"] as? String } == ["KC501"])
        #expect(listed?.first?["reason"] as? String == "stored or not, all is well")
    }

    @Test func `has them in SARIF, and their number`() throws {
        let text = try run("--format", "sarif").output
        let json = try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any]
        let first = (json?["runs"] as? [[String: Any]])?.first
        #expect((first?["properties"] as? [String: Any])?["suppressed"] as? Int == 1)
        #expect(text.contains("\"justification\" : \"stored or not, all is well\""))
    }

    @Test func `fails with --no-suppressions`() throws {
        let run = try run("--no-suppressions")
        #expect(run.status == 1)
        #expect(run.output.contains("[KC501 ignored-status]"))
        #expect(run.output.contains("verdict: fail\n"))
    }
}
