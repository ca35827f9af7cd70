import Foundation
import TestSupport
import Testing

/// A table of SECURITY.md: its rows, each a list of cells without blanks around them.
private struct SecurityTable {
    let rows: [[String]]

    /// - Parameter title: The words of the first row's first cell.
    /// - Throws: What is missing.
    init(_ title: String) throws {
        let file = Checkout.root.appending(path: "SECURITY.md")
        let lines = try String(contentsOf: file, encoding: .utf8).split(
            separator: "\n",
            omittingEmptySubsequences: false
        )
        let start = try #require(lines.firstIndex { $0.hasPrefix("| \(title) |") }, "\(title)")
        rows = lines[(start + 2)...].prefix { $0.hasPrefix("|") }.map { line in
            line.split(separator: "|", omittingEmptySubsequences: false).dropFirst().dropLast()
                .map { $0.trimmingCharacters(in: .whitespaces) }
        }
    }
}

private func places(_ name: String) throws -> Set<String> {
    let file = Checkout.root.appending(path: "Packaging/places.sh")
    let text = try String(contentsOf: file, encoding: .utf8)
    let list = try #require(text.firstRange(of: "\n\(name)=("))
    let words = text[list.upperBound...].prefix { $0 != ")" }
    return Set(words.split(whereSeparator: \.isWhitespace).map(String.init))
}

@Suite struct `The tables of SECURITY.md` {
    @Test(.requirement("HRD-01"))
    func `say of every program of the package what it loads and starts`() throws {
        let rows = try SecurityTable("Program").rows
        let names = rows.map { String($0[0].filter { $0 != "`" }) }
        #expect(Set(names).count == names.count)
        #expect(try Set(names) == places("programs"))
        #expect(rows.allSatisfy { $0.count == 4 && !$0.contains("") })
    }

    @Test(.requirement("HRD-01"))
    func `give rights to the protected programs, which load nothing later`() throws {
        let rows = try SecurityTable("Program").rows
        let raised = rows.filter { $0[1] == "group" }
        #expect(
            try Set(raised.map { String($0[0].filter { $0 != "`" }) }) == places("protected")
        )
        #expect(rows.filter { $0[1] != "none" }.allSatisfy { $0[2] == "nothing" })
    }
}
