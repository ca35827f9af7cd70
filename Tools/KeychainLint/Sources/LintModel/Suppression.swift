import LintRules

/// A comment that keeps findings out of the report, with the reason for it:
/// `// keychain-lint:disable:next` a rule `-- reason`.
package struct Suppression: Sendable, Equatable {
    /// The lines that it covers.
    package let lines: ClosedRange<Int>
    /// Numbers or names of rules.
    package let rules: [String]
    package let reason: String
    /// The line of the comment.
    package let line: Int

    package func covers(rule: String, name: String, line: Int) -> Bool {
        let names = [rule.lowercased(), name]
        return lines.contains(line) && rules.contains { names.contains($0.lowercased()) }
    }
}

/// A comment that begins with two slashes.
///
/// Only a parser can distinguish it from the same text in a string.
package struct LineComment: Sendable {
    package let line: Int
    package let text: String

    package init(line: Int, text: String) {
        self.line = line
        self.text = text
    }

    /// Whether a text may have comments to the linter; most texts have none.
    package static func mayExist(in source: SourceText) -> Bool {
        source.text.contains("keychain-lint:")
    }
}

extension Suppression {
    /// Returns the suppressions of the file, without comments that have no reason or no rule.
    ///
    /// `disable:next` covers the next line, `disable:this` its own, and `disable` the lines up to
    /// `enable`.
    package static func all(in comments: [LineComment], lineCount: Int) -> [Suppression] {
        var found: [Suppression] = []
        var open: [(line: Int, rules: [String], reason: String)] = []
        func add(_ lines: ClosedRange<Int>, _ rules: [String], _ reason: String, at line: Int) {
            found.append(Suppression(lines: lines, rules: rules, reason: reason, line: line))
        }
        for line in comments {
            let number = line.line
            guard let comment = Directive(line.text) else { continue }
            if comment.verb == "enable" {
                for part in open where comment.ends(part.rules) {
                    add(part.line...number, part.rules, part.reason, at: part.line)
                }
                open.removeAll { comment.ends($0.rules) }
                continue
            }
            guard let reason = comment.reason, !comment.rules.isEmpty else { continue }
            switch comment.verb {
            case "disable:next": add(number + 1...number + 1, comment.rules, reason, at: number)
            case "disable:this": add(number...number, comment.rules, reason, at: number)
            case "disable": open.append((number, comment.rules, reason))
            default: break
            }
        }
        for part in open {
            add(part.line...max(part.line, lineCount), part.rules, part.reason, at: part.line)
        }
        return found
    }
}

/// A comment to the linter that may not have the intended effect.
package struct CommentProblem: Sendable {
    /// The name of such a problem in reports, where a finding has its rule.
    package static let name = "invalid-suppression"
    package static let reason = "A comment to the linter does not do what it seems to do."

    package let place: Place
    package let message: String

    package init(place: Place, message: String) {
        self.place = place
        self.message = message
    }
}

extension SourceText {
    /// Returns the problems of the comments in the file.
    package func problems(of comments: [LineComment]) -> [CommentProblem] {
        let comments = comments.compactMap { comment in
            Directive(comment.text).map { (comment.line, $0) }
        }
        return comments.flatMap { number, comment in
            let isEnded = comments.contains { other, end in
                other > number && end.verb == "enable" && end.ends(comment.rules)
            }
            return comment.problems(isEnded: isEnded).map {
                CommentProblem(place: place(ofLine: number), message: $0)
            }
        }
    }
}

extension Directive {
    fileprivate func problems(isEnded: Bool) -> [String] {
        guard ["disable", "disable:next", "disable:this", "enable"].contains(verb) else {
            return ["the linter does not know \"\(verb)\". \(Self.advice)"]
        }
        if let dash {
            return [
                "\"\(dash)\" is a dash, so this comment suppresses nothing. Write two hyphens,"
                    + " \"--\", before the reason."
            ]
        }
        let unknown = rules.filter { Catalogue.rule(named: $0) == nil }
        var problems = unknown.map { "no rule is called \"\($0)\"." }
        guard verb != "enable" else { return problems }
        if rules.isEmpty {
            problems.append("this comment names no rule, so it suppresses nothing. \(Self.advice)")
        } else if reason == nil {
            problems.append(
                "this comment gives no reason, so it suppresses nothing. \(Self.advice)"
            )
        } else if verb == "disable", !isEnded {
            problems.append("no enable follows, so this comment covers the rest of the file.")
        }
        return problems
    }

    private static var advice: String {
        "Write `// keychain-lint:disable:next RULE -- reason`."
    }
}

/// A comment to the linter.
private struct Directive {
    let verb: String
    let rules: [String]
    let reason: String?
    /// The dash instead of the two hyphens, if they are missing.
    let dash: String?

    /// Returns whether an `enable` ends the suppression of these rules.
    func ends(_ others: [String]) -> Bool {
        rules.isEmpty || rules.map { $0.lowercased() } == others.map { $0.lowercased() }
    }

    init?(_ line: String) {
        guard let comment = line.range(of: "//"),
            let marker = line.range(of: "keychain-lint:", in: comment.upperBound..<line.endIndex),
            line[comment.upperBound..<marker.lowerBound].allSatisfy(\.isWhitespace)
        else { return nil }
        let parts = line[marker.upperBound...].split(
            separator: " ",
            omittingEmptySubsequences: true
        )
        guard let verb = parts.first else { return nil }
        self.verb = String(verb)
        let words = parts.dropFirst()
        let end = words.firstIndex(of: "--") ?? words.endIndex
        let dashes: Set<Substring> = ["\u{2013}", "\u{2014}", "\u{2212}", "\u{2014}\u{2014}"]
        dash = end == words.endIndex ? words.first(where: dashes.contains).map(String.init) : nil
        rules = words[..<end].flatMap { $0.split(separator: ",") }.map(String.init)
        let text = words[end...].dropFirst().joined(separator: " ")
        reason = text.isEmpty ? nil : text
    }
}

extension String {
    /// Returns the first occurrence of a text in a part of this one.
    fileprivate func range(of text: String, in part: Range<Index>? = nil) -> Range<Index>? {
        let part = part ?? startIndex..<endIndex
        var start = part.lowerBound
        while start < part.upperBound {
            if self[start..<part.upperBound].hasPrefix(text) {
                return start..<index(start, offsetBy: text.count)
            }
            start = index(after: start)
        }
        return nil
    }
}
