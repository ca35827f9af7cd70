/// A mistake that the linter looks for.
package struct Rule: Sendable {
    /// `KC` or `KX` and a number.
    package let id: String
    /// Words that say what is wrong, joined by hyphens.
    package let name: String
    package let severity: Severity
    /// What the linter has to read to find it.
    package let detection: Detection
    /// What happens if nobody mends it, and why.
    package let reason: String
    /// What to do instead.
    package let advice: String
    /// Titles of the documents that state the rule.
    package let source: String
    /// The control of OWASP MASVS that the rule serves, or nothing.
    package let owasp: String?
    /// Whether the keychain reports the mistake at run time, too.
    package let isDynamic: Bool
    /// Whether the rule is off until the configuration turns it on.
    package let isOptional: Bool
    /// Rules that say the same more precisely: if one of them applies, this one is silent.
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

    /// The rules that run only with `--pack crypto`.
    package var isCrypto: Bool { id.hasPrefix("KX") }

    /// `KC1` for `KC101`; `KX` for the pack about cryptography.
    package var family: String { isCrypto ? "KX" : String(id.prefix(3)) }
}

/// How much a finding matters.
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

/// How far a rule looks.
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
