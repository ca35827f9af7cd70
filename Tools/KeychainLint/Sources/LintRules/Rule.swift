/// A mistake that the linter looks for.
package struct Rule: Sendable {
    /// `KC` or `KX` and a number.
    package let id: String
    /// Words that name the mistake, joined by hyphens.
    package let name: String
    package let severity: Severity
    /// The code that the linter has to read to find the mistake.
    package let detection: Detection
    /// The consequence of the mistake, and the reason.
    package let reason: String
    /// The correct way.
    package let advice: String
    /// The titles of the documents that state the rule.
    package let source: String
    /// The control of OWASP MASVS to which the rule belongs; nil if there is none.
    package let owasp: String?
    /// Whether the keychain also reports the mistake at run time.
    package let isDynamic: Bool
    /// Whether the rule is off unless the configuration turns it on.
    package let isOptional: Bool
    /// Rules that report the same more precisely: if one of them applies, this one is silent.
    package let yieldsTo: [String]

    package init(
        _ id: String,
        _ name: String,
        _ severity: Severity,
        _ detection: Detection,
        _ reason: String,
        advice: String,
        source: String,
        owasp: String? = nil,
        dynamic: Bool = false,
        optional: Bool = false,
        yieldsTo: [String] = []
    ) {
        self.id = id
        self.name = name
        self.severity = severity
        self.detection = detection
        self.reason = reason
        self.advice = advice
        self.source = source
        self.owasp = owasp
        isDynamic = dynamic
        isOptional = optional
        self.yieldsTo = yieldsTo
    }

    /// Whether the rule runs only with `--pack crypto`.
    package var isCrypto: Bool { id.hasPrefix("KX") }

    /// The family: `KC1` for `KC101`, and `KX` for the pack about cryptography.
    package var family: String { isCrypto ? "KX" : String(id.prefix(3)) }
}

/// The importance of a finding.
package enum Severity: String, Sendable, Comparable, CaseIterable {
    case note, warning, error

    package static func < (left: Severity, right: Severity) -> Bool { left.rank < right.rank }

    private var rank: Int {
        switch self {
        case .note: 0
        case .warning: 1
        case .error: 2
        }
    }
}

/// The scope of a rule.
package enum Detection: String, Sendable {
    /// One call or literal.
    case syntax
    /// The statements of a function.
    case flow
    /// One file.
    case file
    /// Several files, entitlements and property lists.
    case project
}
