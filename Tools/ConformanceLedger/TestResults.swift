import Foundation

/// The outcome of each test of a run, read from the xUnit file that `swift test` writes.
///
/// The file is read line by line, not as XML: Swift Testing writes raw identifiers into attributes
/// without escaping them, so that a name with a quotation mark leaves the file malformed.
struct TestResults: Equatable, Sendable {
    /// How a test ended.
    enum Outcome: String, Sendable {
        case passed, failed, skipped
    }

    private var outcomes: [String: [String: Outcome]] = [:]

    /// Reads the texts of several files: those of several packages, or one after the other.
    ///
    /// - Throws: `LedgerProblem` when one of them holds no results or ends within one.
    init(xunit texts: [String]) throws(LedgerProblem) {
        for text in texts {
            for (suite, tests) in try TestResults(xunit: text).outcomes {
                for (test, outcome) in tests { record(outcome, of: (suite, test)) }
            }
        }
    }

    /// Reads the text of the file.
    ///
    /// - Throws: `LedgerProblem` when the text holds no results or ends within one.
    init(xunit text: String) throws(LedgerProblem) {
        var open: (className: String, test: String, line: Int)?
        for (number, line) in text.split(separator: "\n").enumerated() {
            if let place = Self.testCase(in: line) {
                record(.passed, of: place)
                open = line.hasSuffix("/>") ? nil : (place.className, place.test, number + 1)
            } else if let place = open, line.contains("<failure") {
                record(.failed, of: (place.className, place.test))
            } else if let place = open, line.contains("<skipped") {
                record(.skipped, of: (place.className, place.test))
            } else if line.contains("</testcase>") {
                open = nil
            }
        }
        if let open {
            throw LedgerProblem("results:\(open.line)", "the results end within a test")
        }
        guard !outcomes.isEmpty else {
            throw LedgerProblem("results", "the file holds no test results")
        }
    }

    /// The worst outcome of the tests that a claim names, or nil when none of them ran.
    func outcome(of claim: TestClaim) -> Outcome? {
        if let test = claim.test { return outcomes[claim.className]?[test] }
        let nested = claim.className + "."
        let suites = outcomes.filter { $0.key == claim.className || $0.key.hasPrefix(nested) }
        return suites.values.flatMap(\.values).reduce(nil, Self.worse)
    }

    /// The same, in which what was run again counts as it ended then.
    func replacing(_ again: TestResults) -> TestResults {
        var results = self
        for (suite, tests) in again.outcomes {
            results.outcomes[suite, default: [:]].merge(tests) { $1 }
        }
        return results
    }

    private mutating func record(_ outcome: Outcome, of place: (className: String, test: String)) {
        let known = outcomes[place.className]?[place.test]
        let merged = Self.worse(known, outcome)
        outcomes[place.className, default: [:]][place.test] = merged
    }

    private static func worse(_ known: Outcome?, _ new: Outcome) -> Outcome {
        if known == .failed || new == .failed { return .failed }
        return known == .skipped ? .skipped : new
    }

    private static func testCase(in line: Substring) -> (className: String, test: String)? {
        let opening = "<testcase classname=\""
        guard let start = line.range(of: opening)?.upperBound,
            let middle = line.range(of: "\" name=\"", range: start..<line.endIndex)
        else { return nil }
        let rest = line[middle.upperBound...]
        guard let end = rest.range(of: "\" time=\"", options: .backwards) ?? rest.range(of: "\" >")
        else { return nil }
        let className = unescaped(line[start..<middle.lowerBound])
        let name = unescaped(rest[..<end.lowerBound])
        return (className.filter { $0 != "`" }, baseName(name))
    }

    /// The name of a function without its arguments and without backticks.
    private static func baseName(_ name: String) -> String {
        guard name.hasPrefix("`"), let end = name.lastIndex(of: "`") else {
            return String(name.prefix { $0 != "(" })
        }
        return String(name[..<end].dropFirst())
    }

    private static func unescaped(_ text: Substring) -> String {
        var result = String(text)
        for (entity, character) in [
            ("&quot;", "\""), ("&apos;", "'"), ("&lt;", "<"), ("&gt;", ">"), ("&amp;", "&"),
        ] {
            result = result.replacingOccurrences(of: entity, with: character)
        }
        return result
    }
}
