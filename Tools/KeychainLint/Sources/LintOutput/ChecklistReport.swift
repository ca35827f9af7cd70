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
        let isError: Bool
    }

    private enum Outcome: String { case pass, fail }

    package init(_ checklist: Checklist, _ report: Report) {
        self.checklist = checklist
        lines = checklist.items.map { Self.line($0, report) }
    }

    /// Whether a failed item has a finding at error level.
    package var hasErrors: Bool { lines.contains(where: \.isError) }

    private static func line(_ item: Checklist.Item, _ report: Report) -> Line {
        switch item.proof {
        case .rules(let rules):
            let found = report.active.filter { rules.contains($0.rule) }
            guard let first = found.first else {
                let evidence = "no finding of \(rules.joined(separator: ", "))"
                return Line(item: item, outcome: .pass, evidence: evidence, isError: false)
            }
            let others = found.count > 1 ? " and \(found.count - 1) more" : ""
            let place = "\(first.place.file):\(first.place.line)"
            return Line(
                item: item,
                outcome: .fail,
                evidence: "\(first.rule) at \(place)\(others)",
                isError: found.contains { $0.severity == .error }
            )
        case .test(let words):
            let test = report.files.first { file in
                file.isTest && words.contains(where: file.source.text.contains)
            }
            guard let test else {
                let evidence = "no test contains \(words.joined(separator: " or "))"
                return Line(item: item, outcome: .fail, evidence: evidence, isError: false)
            }
            return Line(item: item, outcome: .pass, evidence: test.source.path, isError: false)
        case .absence(let words):
            let found = report.files.lazy.compactMap { file in
                words.first(where: file.source.text.contains).map { "\(file.source.path): \($0)" }
            }.first
            return Line(
                item: item,
                outcome: found == nil ? .pass : .fail,
                evidence: found ?? "no such import",
                isError: false
            )
        }
    }

    package func text() -> String {
        var text = "\(checklist.title)\n"
        var group: String?
        for (index, line) in lines.enumerated() {
            if line.item.group != group, let next = line.item.group {
                group = next
                text += "\(next):\n"
            }
            text +=
                "  \(index + 1). \(line.outcome.rawValue): \(line.item.text) (\(line.evidence))\n"
        }
        let passed = lines.count { $0.outcome == .pass }
        return text + "\(passed) pass, \(lines.count - passed) fail.\n"
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
