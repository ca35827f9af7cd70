import Foundation
import LintModel
import LintRules

/// A report for programs.
package enum JSONOutput {
    package static func render(_ report: Report) throws -> String {
        let document: [String: Any] = [
            "version": 1,
            "findings": report.findings.map(finding),
            "invalidSuppressions": report.invalidComments.map { problem in
                [
                    "file": problem.place.file, "line": problem.place.line,
                    "message": problem.message,
                ] as [String: Any]
            },
            "skipped": report.skipped.map(\.object),
            "summary": [
                "files": report.files.count,
                "errors": report.count(.error),
                "warnings": report.count(.warning),
                "notes": report.count(.note),
                "suppressed": report.findings.count - report.active.count,
                "invalidSuppressions": report.invalidComments.count,
                "dictionaries": report.resolved.all,
                "resolvedDictionaries": report.resolved.known,
            ],
        ]
        return try encode(document)
    }

    private static func finding(_ finding: Finding) -> [String: Any] {
        var object: [String: Any] = [
            "rule": finding.rule,
            "name": Catalogue.byID[finding.rule]?.name ?? "",
            "severity": finding.severity.rawValue,
            "message": finding.message,
            "file": finding.place.file,
            "line": finding.place.line,
            "column": finding.place.column,
            "fingerprint": finding.fingerprint,
        ]
        if let reason = finding.suppression { object["suppressed"] = reason }
        if !finding.related.isEmpty {
            object["related"] = finding.related.map {
                ["file": $0.place.file, "line": $0.place.line, "message": $0.message]
            }
        }
        if !finding.fixes.isEmpty { object["fixable"] = true }
        return object
    }

    static func encode(_ object: Any) throws -> String {
        let data = try JSONSerialization.data(
            withJSONObject: object,
            options: [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        )
        return String(decoding: data, as: UTF8.self) + "\n"
    }
}
