import Foundation
import Testing

/// One way to read what a person types into a prompt, as SECURITY.md lists it.
struct PromptWay: Hashable, Sendable, CustomTestStringConvertible {
    /// The prompt's words in the table.
    let prompt: String
    /// The way's words in the table.
    let words: String
    /// Whether the table says that it reads what is typed.
    let succeeds: Bool

    var testDescription: String { "\(prompt): \(words) \(succeeds ? "reads" : "does not read")" }

    /// All ways of the table "Who can read what you type".
    static func all() throws -> [PromptWay] {
        var root = URL(filePath: #filePath)
        for _ in 0..<5 { root.deleteLastPathComponent() }
        let file = root.appending(path: "SECURITY.md")
        let lines = try String(contentsOf: file, encoding: .utf8).split(
            separator: "\n",
            omittingEmptySubsequences: false
        )
        let start = try #require(lines.firstIndex { $0.hasPrefix("| Prompt |") })
        return lines[(start + 2)...].prefix { $0.hasPrefix("|") }.flatMap { line in
            let cells = line.split(separator: "|", omittingEmptySubsequences: false).dropFirst()
                .map { $0.trimmingCharacters(in: .whitespaces) }
            return ways(cells[0], cells[1], succeeds: true)
                + ways(cells[0], cells[2], succeeds: false)
        }
    }

    private static func ways(_ prompt: String, _ cell: String, succeeds: Bool) -> [PromptWay] {
        cell.filter { $0 != "*" }.split(separator: ";").map(Trimmed.init).map(\.words)
            .filter { $0 != "nothing" }
            .map { PromptWay(prompt: prompt, words: $0, succeeds: succeeds) }
    }

    private struct Trimmed {
        let words: String
        init(_ text: Substring) { words = text.trimmingCharacters(in: .whitespaces) }
    }
}
