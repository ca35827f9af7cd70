import Foundation

/// The fields of one line in the file of `swift test --event-stream-output-path` that the ledger
/// reads.
///
/// - Source: Swift Testing, Documentation/ABI/JSON.md, version 0.
struct TestEvent: Decodable {
    struct Payload: Decodable {
        let kind: String
        /// The test of a line of kind `test`.
        let id: String?
        let isParameterized: Bool?
        /// The test of a line of kind `event`.
        let testID: String?
        let messages: [Message]?
    }

    struct Message: Decodable {
        /// The outcome, such as `pass`, `fail`, `skip` and `passWithKnownIssue`.
        let symbol: String
    }

    let kind: String
    let payload: Payload
}

/// The name of a test in an event stream: its module, its suites, and its function if it is one.
///
/// ```
/// Module.`A suite`/Inner/`reads a / b`(row:)/File.swift:12:6
/// ```
struct TestName: Hashable, Sendable {
    /// The module and the suites, outermost first, joined by points and without backticks.
    let className: String
    /// nil for a suite.
    let test: String?

    /// Reads the name; nil for a text without a module.
    init?(_ id: String) {
        var parts: [String] = [""]
        var isQuoted = false
        for character in id {
            if character == "`" {
                isQuoted.toggle()
            } else if !isQuoted, character == "/" || (character == "." && parts.count == 1) {
                parts.append("")
                continue
            }
            parts[parts.count - 1].append(character)
        }
        guard !isQuoted, parts.count > 1, !parts.contains("") else { return nil }
        // The place of a function's declaration follows its name.
        let isFunction = parts[parts.count - 1].contains(".swift:")
        if isFunction { parts.removeLast() }
        test = isFunction ? parts.popLast().map(Self.baseName) : nil
        guard !parts.isEmpty else { return nil }
        className = parts.map { $0.filter { $0 != "`" } }.joined(separator: ".")
    }

    /// Returns the name of a function without its arguments and without backticks.
    private static func baseName(_ name: String) -> String {
        guard name.hasPrefix("`"), let end = name.lastIndex(of: "`") else {
            return String(name.prefix { $0 != "(" })
        }
        return String(name[..<end].dropFirst())
    }
}
