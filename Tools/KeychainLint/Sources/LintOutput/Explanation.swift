import LintRules

/// What `--explain` prints about a rule.
package enum Explanation {
    package static func text(of rule: Rule) -> String {
        var parts = ["\(rule.id) \(rule.name) (\(rule.severity.rawValue))\n"]
        parts.append("\(rule.reason)\n\(rule.advice)\n")
        if let bad = Examples.bad[rule.id] { parts.append("Bad:\n\n\(indented(bad))") }
        if let good = Examples.good[rule.id] { parts.append("Good:\n\n\(indented(good))") }
        var facts = ["Source: \(rule.source)."]
        if let owasp = rule.owasp { facts.append("Helps with OWASP \(owasp).") }
        facts.append("Reads \(scope(rule.detection)).")
        if rule.isDynamic { facts.append("The keychain reports the same mistake at run time.") }
        if rule.isOptional { facts.append("Off until the configuration turns it on.") }
        if rule.isCrypto { facts.append("Runs with --pack crypto.") }
        parts.append(facts.joined(separator: "\n"))
        return parts.joined(separator: "\n") + "\n"
    }

    private static func scope(_ detection: Detection) -> String {
        switch detection {
        case .syntax: "one expression"
        case .flow: "the statements of a function"
        case .file: "one file"
        case .project: "the whole project"
        }
    }

    private static func indented(_ text: String) -> String {
        text.split(separator: "\n", omittingEmptySubsequences: false)
            .map { $0.isEmpty ? "" : "    \($0)" }.joined(separator: "\n") + "\n"
    }
}
