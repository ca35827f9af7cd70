import Foundation
import LintModel
import LintRules

/// A report in the Static Analysis Results Interchange Format, version 2.1.0.
package enum SARIFOutput {
    /// The version of the command, which is that of the package around it.
    package static let version = "0.1.0"

    package static func render(_ report: Report) throws -> String {
        try render(report.findings, comments: report.invalidComments)
    }

    /// A rule that is not in the catalogue, such as an error of the compiler.
    package struct OtherRule: Sendable {
        package let id: String
        package let severity: Severity
        package let reason: String

        package init(_ id: String, _ severity: Severity, _ reason: String) {
            self.id = id
            self.severity = severity
            self.reason = reason
        }
    }

    /// Writes findings, and other results of a tool.
    ///
    /// - Parameters:
    ///   - findings: The findings of the catalogue's rules, and of the other ones.
    ///   - comments: The invalid comments to the linter.
    ///   - rules: The other rules.
    ///   - notDone: The parts that the tool could not do; nil if it has no parts.
    /// - Returns: The document.
    /// - Throws: The errors of `JSONSerialization`.
    package static func render(
        _ findings: [Finding],
        comments: [CommentProblem] = [],
        rules: [OtherRule] = [],
        notDone: [String]? = nil
    ) throws -> String {
        var run: [String: Any] = [
            "tool": ["driver": driver(rules)],
            "columnKind": "unicodeCodePoints",
            "results": findings.map(result) + comments.map(result),
            "properties": ["suppressed": findings.count { $0.suppression != nil }],
        ]
        if let notDone {
            run["invocations"] = [
                [
                    "executionSuccessful": true,
                    "toolExecutionNotifications": notDone.map {
                        ["level": "warning", "message": ["text": $0]] as [String: Any]
                    },
                ] as [String: Any]
            ]
        }
        let document: [String: Any] = [
            "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
            "version": "2.1.0",
            "runs": [run],
        ]
        return try JSONOutput.encode(document)
    }

    private static func driver(_ others: [OtherRule]) -> [String: Any] {
        [
            "name": "keychain-lint",
            "semanticVersion": version,
            "rules": Catalogue.rules.map(rule) + [commentRule]
                + others.map { other in
                    [
                        "id": other.id, "name": other.id,
                        "shortDescription": ["text": other.reason],
                        "defaultConfiguration": ["level": other.severity.rawValue],
                    ]
                },
        ]
    }

    private static func rule(_ rule: Rule) -> [String: Any] {
        var properties: [String: Any] = ["source": rule.source, "tags": [rule.family]]
        if let owasp = rule.owasp { properties["owasp"] = owasp }
        return [
            "id": rule.id,
            "name": rule.name,
            "shortDescription": ["text": rule.reason],
            "help": ["text": rule.advice],
            "defaultConfiguration": [
                "level": rule.severity.rawValue,
                "enabled": !rule.isOptional && !rule.isCrypto,
            ] as [String: Any],
            "properties": properties,
        ]
    }

    /// The rule for comments that suppress nothing; code hosts show only problems that are results.
    private static var commentRule: [String: Any] {
        [
            "id": CommentProblem.name,
            "name": CommentProblem.name,
            "shortDescription": ["text": CommentProblem.reason],
            "defaultConfiguration": ["level": Severity.warning.rawValue],
        ]
    }

    private static func result(_ problem: CommentProblem) -> [String: Any] {
        [
            "ruleId": CommentProblem.name,
            "ruleIndex": Catalogue.rules.count,
            "level": Severity.warning.rawValue,
            "message": ["text": problem.message],
            "locations": [location(problem.place)],
        ]
    }

    private static let indices: [String: Int] = Dictionary(
        uniqueKeysWithValues: Catalogue.rules.enumerated().map { ($1.id, $0) }
    )

    private static func result(_ finding: Finding) -> [String: Any] {
        var object: [String: Any] = [
            "ruleId": finding.rule,
            "level": finding.severity.rawValue,
            "message": ["text": finding.message],
            "locations": [location(finding.place)],
        ]
        if !finding.fingerprint.isEmpty {
            object["partialFingerprints"] = ["keychainLint/v1": finding.fingerprint]
        }
        if let index = indices[finding.rule] { object["ruleIndex"] = index }
        if !finding.related.isEmpty {
            object["relatedLocations"] = finding.related.enumerated().map { index, related in
                var place = location(related.place)
                place["id"] = index
                place["message"] = ["text": related.message]
                return place
            }
        }
        if let reason = finding.suppression {
            object["suppressions"] = [["kind": "inSource", "justification": reason]]
        }
        return object
    }

    private static func location(_ place: Place) -> [String: Any] {
        [
            "physicalLocation": [
                "artifactLocation": ["uri": address(of: place.file)],
                "region": [
                    "startLine": place.line,
                    "startColumn": place.column,
                    "endLine": place.endLine,
                    "endColumn": place.endColumn,
                ],
            ] as [String: Any]
        ]
    }

    /// Returns a path as a reference; relative paths stay relative.
    private static func address(of path: String) -> String {
        let allowed = CharacterSet.urlPathAllowed
        let escaped = path.addingPercentEncoding(withAllowedCharacters: allowed) ?? path
        return path.hasPrefix("/") ? "file://" + escaped : escaped
    }
}
