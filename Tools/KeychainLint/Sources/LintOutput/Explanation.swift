import LintRules

/// The output of `--explain` for a rule.
package enum Explanation {
    package static func text(of rule: Rule) -> String {
        var parts = ["\(rule.id) \(rule.name) (\(rule.severity.rawValue))\n"]
        parts.append("\(rule.reason)\n\(rule.advice)\n")
        if let bad = Examples.bad[rule.id] { parts.append("Bad:\n\n\(indented(bad))") }
        if let good = Examples.good[rule.id] { parts.append("Good:\n\n\(indented(good))") }
        var facts = ["Source: \(rule.source)."]
        if let owasp = rule.owasp { facts.append("Helps with OWASP \(owasp).") }
        facts.append("To find this mistake, the linter reads \(scope(rule.detection)).")
        if rule.isDynamic {
            facts.append(
                "The keychain notices this mistake at run time, too: a program that runs with"
                    + " KEYCHAIN_DIAGNOSTICS=1 prints it, and in a test it is a Finding whose"
                    + " lintRules contain \(rule.id)."
            )
        }
        for scenario in Scenario.showing(rule.id) {
            facts.append("What it costs: \(scenario.lesson)")
            facts.append("To watch it: keychainctl simulate \(scenario.file)")
        }
        if rule.isOptional { facts.append("Off until the configuration turns it on.") }
        if rule.isCrypto { facts.append("Runs with --pack crypto.") }
        parts.append(facts.joined(separator: "\n"))
        return parts.joined(separator: "\n") + "\n"
    }

    /// Returns a message about a rule that does not exist, with similar numbers or names.
    package static func refusal(of name: String) -> String {
        let all = "Documentation/Linting.md lists all rules."
        let start = "no rule is called \"\(name)\"; "
        let family = Catalogue.families.first { name.uppercased().hasPrefix($0.id) }
        if let family {
            let ids = Catalogue.rules.filter { $0.family == family.id }.map(\.id)
            let range = "\(ids.first ?? "") to \(ids.last ?? "")"
            return start + "\(range) are about \(family.title.lowercased()). \(all)"
        }
        let close = Catalogue.rules.map(\.name).filter { isClose($0, to: name.lowercased()) }
        guard !close.isEmpty else { return start + all }
        return start + "did you mean \(close.prefix(3).joined(separator: " or "))? \(all)"
    }

    /// Returns whether a name contains the given text, or differs from it in one or two characters.
    private static func isClose(_ name: String, to written: String) -> Bool {
        guard written.count > 3 else { return false }
        return name.contains(written) || distance(name, written) < 3
    }

    /// Returns the number of insertions, removals and replacements that turn one text into the
    /// other.
    private static func distance(_ one: String, _ other: String) -> Int {
        let columns = Array(other)
        var last = Array(0...columns.count)
        for (row, character) in one.enumerated() {
            var next = [row + 1]
            for (column, second) in columns.enumerated() {
                let replaced = last[column] + (character == second ? 0 : 1)
                next.append(min(replaced, last[column + 1] + 1, next[column] + 1))
            }
            last = next
        }
        return last[columns.count]
    }

    private static func scope(_ detection: Detection) -> String {
        switch detection {
        case .syntax: "one expression"
        case .flow: "the statements of one function"
        case .file: "one file"
        case .project: "the whole project"
        }
    }

    private static func indented(_ text: String) -> String {
        text.split(separator: "\n", omittingEmptySubsequences: false)
            .map { $0.isEmpty ? "" : "    \($0)" }.joined(separator: "\n") + "\n"
    }
}
