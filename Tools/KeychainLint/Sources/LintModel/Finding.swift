import LintRules

/// A mistake in a file.
package struct Finding: Sendable {
    /// The number of the rule.
    package let rule: String
    package var severity: Severity
    /// The mistake at this place, and the solution.
    package let message: String
    package let place: Place
    package let related: [Related]
    /// The calls or literals that the finding concerns; overlapping rules are compared by them.
    package let subjects: [Int]
    package let fixes: [TextEdit]
    /// The reason in a comment that suppresses the finding.
    package var suppression: String?
    /// The text that identifies it in a baseline.
    package var fingerprint = ""

    package init(
        rule: String,
        severity: Severity,
        message: String,
        place: Place,
        related: [Related] = [],
        subjects: [Int] = [],
        fixes: [TextEdit] = []
    ) {
        self.rule = rule
        self.severity = severity
        self.message = message
        self.place = place
        self.related = related
        self.subjects = subjects
        self.fixes = fixes
    }

    /// A second place that explains a finding.
    package struct Related: Sendable {
        package let place: Place
        package let message: String

        package init(place: Place, message: String) {
            self.place = place
            self.message = message
        }
    }
}

/// A replacement of some bytes that cannot change the behavior of correct code.
package struct TextEdit: Sendable {
    package let range: Range<Int>
    package let replacement: String

    package init(range: Range<Int>, replacement: String) {
        self.range = range
        self.replacement = replacement
    }

    /// Applies edits; if some overlap, the first one wins.
    package static func apply(_ edits: [TextEdit], to text: String) -> String {
        var bytes = Array(text.utf8)
        var limit = bytes.count + 1
        for edit in edits.sorted(by: { $0.range.lowerBound > $1.range.lowerBound })
        where edit.range.upperBound < limit && edit.range.upperBound <= bytes.count {
            bytes.replaceSubrange(edit.range, with: Array(edit.replacement.utf8))
            limit = edit.range.lowerBound + (edit.range.isEmpty ? 0 : 1)
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
