import LintRules

/// A mistake in a file.
public struct Finding: Sendable {
    /// The number of the rule.
    public let rule: String
    public var severity: Severity
    /// What is wrong here, and the way out.
    public let message: String
    public let place: Place
    public let related: [Related]
    /// The call or literal that the finding is about; rules that overlap are compared by it.
    public let subjects: [Int]
    public let fixes: [TextEdit]
    /// The reason that a comment states for not reporting it.
    public var suppression: String?
    /// What a baseline remembers it by.
    public var fingerprint = ""

    public init(
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
    public struct Related: Sendable {
        public let place: Place
        public let message: String

        public init(place: Place, message: String) {
            self.place = place
            self.message = message
        }
    }
}

/// A replacement of some bytes that cannot change what correct code does.
public struct TextEdit: Sendable {
    public let range: Range<Int>
    public let replacement: String

    public init(range: Range<Int>, replacement: String) {
        self.range = range
        self.replacement = replacement
    }

    /// Applies edits that do not overlap; of those that do, the first wins.
    public static func apply(_ edits: [TextEdit], to text: String) -> String {
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
