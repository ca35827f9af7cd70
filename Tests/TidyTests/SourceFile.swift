import Foundation

@testable import conformance_ledger

/// A file of the checkout with its path from the root, its lines and, for Swift, its tokens.
struct SourceFile: Sendable {
    let path: String
    let text: String
    let lines: [Substring]
    let tokens: [SwiftToken]
    /// The tokens the compiler sees.
    let code: [SwiftToken]

    init(_ path: String, _ text: String) {
        self.path = path
        self.text = text
        // Bytes are cut faster than characters.
        let newline = UInt8(ascii: "\n")
        lines = text.utf8.split(separator: newline, omittingEmptySubsequences: false)
            .map(Substring.init)
        tokens = path.hasSuffix(".swift") ? SwiftLexer.tokens(of: text) : []
        code = tokens.filter { $0.kind != .comment }
    }

    /// A file whose first lines carry a ★ is a table and may be longer.
    var isTable: Bool { lines.prefix(12).contains { $0.contains("★") } }

    /// The target of a file below `Sources`.
    var target: String? {
        let parts = path.split(separator: "/")
        return parts.first == "Sources" && parts.count > 2 ? String(parts[1]) : nil
    }

    /// Whether the path lies below one of the folders.
    func isBelow(_ folders: String...) -> Bool { isBelow(folders) }

    /// Whether the path lies below one of the folders.
    func isBelow(_ folders: [String]) -> Bool {
        folders.contains { path.hasPrefix($0 + "/") }
    }

    func finding(_ line: Int, _ rule: String) -> Finding {
        Finding(file: path, line: line, rule: rule)
    }
}

/// A place where a rule is broken.
struct Finding: Equatable, CustomStringConvertible {
    let file: String
    let line: Int
    let rule: String

    var description: String { "\(file):\(line): \(rule)" }
}
