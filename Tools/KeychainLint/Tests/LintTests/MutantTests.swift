import Foundation
import LintModel
import LintRules
import Testing

/// A sample with one mistake put in: a row of mutants.tsv.
struct Mutant: Sendable, CustomTestStringConvertible {
    let sample: String
    let find: String
    let replacement: String
    let rule: String
    /// The test that shows the effect of the mistake; empty if there is none.
    let demonstration: String

    var testDescription: String { "\(rule) in \(sample)" }

    static let all: [Mutant] = {
        let file = Lint.root.appending(path: "mutants.tsv")
        let text = (try? String(contentsOf: file, encoding: .utf8)) ?? ""
        return text.split(separator: "\n").dropFirst().compactMap { line in
            let cells = line.split(separator: "\t", omittingEmptySubsequences: false)
                .map { $0.replacingOccurrences(of: "\\n", with: "\n") }
            guard cells.count == 5 else { return nil }
            return Mutant(
                sample: cells[0],
                find: cells[1],
                replacement: cells[2],
                rule: cells[3],
                demonstration: cells[4]
            )
        }
    }()

    static let repository = Lint.root.deletingLastPathComponent().deletingLastPathComponent()

    /// The tests of the samples, without those of the documents, which also show mistakes.
    static var tests: [URL] {
        get throws {
            let folder = repository.appending(path: "Tests/PatternTests")
            let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
            return names.filter { $0.hasSuffix(".swift") }.sorted()
                .map { folder.appending(path: $0) }
        }
    }

    var good: String {
        get throws {
            let file = Self.repository.appending(path: "Examples/Patterns/\(sample).swift")
            return try String(contentsOf: file, encoding: .utf8)
        }
    }

    /// Returns whether the linter reports the rule for a text.
    func isFound(in text: String) -> Bool {
        var configuration = Configuration()
        // The rules for the Mac know a Mac by its settings.
        if rule.hasPrefix("KC8") { configuration.platform = "macOS" }
        return Lint.findings(text, configuration: configuration)
            .contains { $0.rule == rule && $0.suppression == nil }
    }

    /// The finding of the same rule at run time; empty if there is none.
    var runTimeFinding: String {
        let file = Lint.root.appending(path: "twins.tsv")
        let rows = (try? String(contentsOf: file, encoding: .utf8))?.split(separator: "\n") ?? []
        let twin = rows.map { $0.split(separator: "\t") }.first { $0.first == rule[...] }
        return twin.map { "`\($0[1])`" } ?? ""
    }

    /// The line of the rule in Documentation/Linting.md.
    var row: String {
        let name = Catalogue.byID[rule]?.name ?? ""
        return "| `\(name)` in \(sample) | \(rule) | \(runTimeFinding) | \(demonstration) |"
    }
}

@Suite struct `A mistake in a sample` {
    @Test(arguments: Mutant.all) func `is found by the linter`(mutant: Mutant) throws {
        let good = try mutant.good
        #expect(!mutant.isFound(in: good))
        let bad = good.replacingOccurrences(of: mutant.find, with: mutant.replacement)
        try #require(bad != good)
        #expect(mutant.isFound(in: bad))
    }

    @Test func `has its row in the page of the rules`() throws {
        let file = Mutant.repository.appending(path: "Documentation/Linting.md")
        let page = try String(contentsOf: file, encoding: .utf8)
        let parts = page.components(separatedBy: "<!-- mutants: ")
        let table = try #require(parts.count == 3 ? parts[1] : nil)
        let rows = table.split(separator: "\n").filter { $0.hasPrefix("| `") }.map(String.init)
        #expect(Mutant.all.count >= 25)
        #expect(rows == Mutant.all.map(\.row))
    }

    @Test func `names a demonstration that exists`() throws {
        let tests = try Mutant.tests.map { try String(contentsOf: $0, encoding: .utf8) }.joined()
        let named = Mutant.all.map(\.demonstration).filter { !$0.isEmpty }
        #expect(named.filter { !tests.contains("func `\($0)`") } == [])
    }
}

@Suite struct `The samples and their tests` {
    @Test(arguments: ["access-control", "migration", "item-classes", "overview"])
    func `pass the checklist`(name: String) throws {
        let samples = Mutant.repository.appending(path: "Examples/Patterns")
        let outcome = try Command().run(
            ["--format", "json", "--checklist", name] + [samples.path] + Mutant.tests.map(\.path)
        )
        let json = try JSONSerialization.jsonObject(with: Data(outcome.output.utf8))
        let items = try #require((json as? [String: Any])?["items"] as? [[String: Any]])
        let others = items.filter { !["pass", "none"].contains($0["outcome"] as? String) }
        #expect(others.isEmpty)
        #expect(items.count == (name == "overview" ? 20 : 11))
    }
}
