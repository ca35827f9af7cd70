import Foundation
import LintOutput
import LintRules
import Testing

@Suite struct `A rule that the keychain knows at run time` {
    /// The rules and findings of the table.
    private static let twins: [(rule: String, finding: String)] = {
        let text = try? String(contentsOf: Lint.root.appending(path: "twins.tsv"), encoding: .utf8)
        return (text ?? "").split(separator: "\n").dropFirst().map { line in
            let cells = line.split(separator: "\t")
            return (String(cells[0]), String(cells[1]))
        }
    }()

    @Test func `is in the table, and no other is`() {
        let dynamic = Catalogue.rules.filter(\.isDynamic).map(\.id)
        #expect(Set(Self.twins.map(\.rule)).sorted() == dynamic)
    }

    @Test(arguments: Catalogue.rules.filter(\.isDynamic).map(\.id))
    func `names its finding in the page of the rules`(id: String) throws {
        let page = Lint.root.deletingLastPathComponent().deletingLastPathComponent()
            .appending(path: "Documentation/Linting.md")
        let text = try String(contentsOf: page, encoding: .utf8)
        let row = try #require(text.split(separator: "\n").first { $0.hasPrefix("| \(id) |") })
        let missing = Self.twins.filter { $0.rule == id && !row.contains("`\($0.finding)`") }
        #expect(missing.map(\.finding) == [])
        let rule = try #require(Catalogue.byID[id])
        #expect(Explanation.text(of: rule).contains("at run time"))
    }
}
