import Foundation
import LintModel
import LintRules

/// A report in the Static Analysis Results Interchange Format, version 2.1.0.
package enum SARIFOutput {
    package static func render(_ report: Report) throws -> String {
        let document: [String: Any] = [
            "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
            "version": "2.1.0",
            "runs": [
                [
                    "tool": ["driver": driver],
                    "columnKind": "unicodeCodePoints",
                    "results": report.findings.map(result) + report.invalidComments.map(result),
                ] as [String: Any]
            ],
        ]
        return try JSONOutput.encode(document)
    }

    private static var driver: [String: Any] {
        [
            "name": "keychain-lint",
            "semanticVersion": "1.0.0",
            "rules": Catalogue.rules.map(rule) + [commentRule],
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

    /// Comments that suppress nothing are results, too: code hosts show only those.
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
            "partialFingerprints": ["keychainLint/v1": finding.fingerprint],
        ]
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

    /// A path as a reference: relative ones stay relative.
    private static func address(of path: String) -> String {
        let allowed = CharacterSet.urlPathAllowed
        let escaped = path.addingPercentEncoding(withAllowedCharacters: allowed) ?? path
        return path.hasPrefix("/") ? "file://" + escaped : escaped
    }
}
