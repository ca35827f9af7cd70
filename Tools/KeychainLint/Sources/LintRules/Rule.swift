/// A mistake that the linter looks for.
public struct Rule: Sendable {
    /// `KC` or `KX` and a number.
    public let id: String
    /// Words that say what is wrong, joined by hyphens.
    public let name: String
    public let severity: Severity
    /// What the linter has to read to find it.
    public let detection: Detection
    /// What happens if nobody mends it, and why.
    public let reason: String
    /// What to do instead.
    public let advice: String
    /// Titles of the documents that state the rule.
    public let source: String
    /// The control of OWASP MASVS that the rule serves, or nothing.
    public let owasp: String?
    /// Whether the keychain reports the mistake at run time, too.
    public let isDynamic: Bool
    /// Whether the rule is off until the configuration turns it on.
    public let isOptional: Bool
    /// Rules that say the same more precisely: if one of them applies, this one is silent.
    public let yieldsTo: [String]

    public init(
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
    public var isCrypto: Bool { id.hasPrefix("KX") }

    /// `KC1` for `KC101`; `KX` for the pack about cryptography.
    public var family: String { isCrypto ? "KX" : String(id.prefix(3)) }
}

/// How much a finding matters.
public enum Severity: String, Sendable, Comparable, CaseIterable {
    case note, warning, error

    public static func < (left: Severity, right: Severity) -> Bool { left.rank < right.rank }

    private var rank: Int {
        switch self {
        case .note: 0
        case .warning: 1
        case .error: 2
        }
    }
}

/// How far a rule looks.
public enum Detection: String, Sendable {
    /// One call or literal.
    case syntax
    /// The statements of a function.
    case flow
    /// One file.
    case file
    /// Several files, entitlements and property lists.
    case project
}
