import LintModel
import LintRules

/// A checklist with the outcome of each item.
package struct ChecklistReport {
    private let checklist: Checklist
    private let lines: [Line]

    private struct Line {
        let item: Checklist.Item
        let outcome: Outcome
        let evidence: String
    }

    /// The outcome of an item: `none` if the code has nothing that it concerns, and `open` for a
    /// question that the code does not answer.
    private enum Outcome: String { case pass, fail, none, open }

    package init(_ checklist: Checklist, _ report: Report) {
        self.checklist = checklist
        lines = checklist.items.map { Self.line($0, report) }
    }

    /// Whether an item fails.
    package var hasFailures: Bool { lines.contains { $0.outcome == .fail } }

    private static func line(_ item: Checklist.Item, _ report: Report) -> Line {
        switch item.proof {
        case .rules(let rules):
            let found = report.active.filter { rules.contains($0.rule) }
            guard let first = found.first else {
                let words = rules.flatMap(Checklist.subjects)
                guard report.contains(words) else {
                    let evidence = "the code has nothing of it"
                    return Line(item: item, outcome: .none, evidence: evidence)
                }
                let evidence = "no finding of \(rules.joined(separator: ", "))"
                return Line(item: item, outcome: .pass, evidence: evidence)
            }
            let others = found.count > 1 ? " and \(found.count - 1) more" : ""
            let place = "\(first.place.file):\(first.place.line)"
            return Line(
                item: item,
                outcome: .fail,
                evidence: "\(first.rule) at \(place)\(others)"
            )
        case .test(let words):
            return line(item, testedBy: words, report)
        case .question(let question, let words, let subjects):
            let line = line(item, testedBy: words, report)
            guard line.outcome == .fail, !report.contains(subjects) else { return line }
            return Line(item: item, outcome: .open, evidence: question)
        case .absence(let words):
            let found = report.files.lazy.compactMap { file in
                words.first(where: file.source.text.contains).map { "\(file.source.path): \($0)" }
            }.first
            return Line(
                item: item,
                outcome: found == nil ? .pass : .fail,
                evidence: found ?? "no such import"
            )
        }
    }

    private static func line(
        _ item: Checklist.Item,
        testedBy words: [String],
        _ report: Report
    ) -> Line {
        let test = report.files.first { file in
            file.isTest && words.contains(where: file.source.text.contains)
        }
        if let test { return Line(item: item, outcome: .pass, evidence: test.source.path) }
        let names = words.map { $0 == "igrat" ? "migrate or Migration" : $0 }
        let evidence = "no test contains \(names.joined(separator: " or "))"
        return Line(item: item, outcome: .fail, evidence: evidence)
    }

    package func text() -> String {
        var text = "\(checklist.title)\n"
        var group: String?
        for (index, line) in lines.enumerated() {
            if line.item.group != group, let next = line.item.group {
                group = next
                text += "\(next):\n"
            }
            let word =
                line.outcome == .none ? "nothing found against it" : line.outcome.rawValue
            text += "  \(index + 1). \(word): \(line.item.text) (\(line.evidence.visible))\n"
        }
        let passed = lines.count { $0.outcome == .pass }
        let failed = lines.count { $0.outcome == .fail }
        let open = lines.count { $0.outcome == .open }
        let empty = lines.count - passed - failed - open
        return text + "\(passed) pass, \(failed) fail" + (open > 0 ? ", \(open) open" : "")
            + (empty > 0 ? ", \(empty) with nothing found against it.\n" : ".\n")
    }

    package func json() throws -> String {
        let items = lines.map { line -> [String: Any] in
            var object: [String: Any] = [
                "item": line.item.text, "outcome": line.outcome.rawValue, "evidence": line.evidence,
            ]
            if let group = line.item.group { object["group"] = group }
            return object
        }
        return try JSONOutput.encode(
            ["checklist": checklist.name, "items": items] as [String: Any]
        )
    }
}

extension Report {
    /// Returns whether code outside of tests contains one of the texts.
    fileprivate func contains(_ words: [String]) -> Bool {
        files.contains { file in
            !file.isTest && words.contains(where: file.source.text.contains)
        }
    }
}
