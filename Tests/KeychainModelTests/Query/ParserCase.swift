import KeychainModel
import Testing

/// One call, as the parser is to judge it.
struct ParserCase: Sendable, CustomTestStringConvertible {
    let name: String
    /// What the call adds to the dictionary of its suite.
    let entries: AttributeDictionary
    let status: SecurityStatus
    let rules: [DiagnosticRule]
    let system: SystemProfile
    let behavior: BehaviorProfile

    var testDescription: String { name }

    init(
        _ name: String,
        _ entries: AttributeDictionary,
        _ status: SecurityStatus = .success,
        _ rules: [DiagnosticRule] = [],
        on system: SystemProfile = .iOS(26),
        _ behavior: BehaviorProfile = .documented
    ) {
        self.name = name
        self.entries = entries
        self.status = status
        self.rules = rules
        self.system = system
        self.behavior = behavior
    }

    /// What the parser made of a call.
    struct Verdict: Sendable {
        let status: SecurityStatus
        /// The ids of the findings' rules.
        let rules: [String]
        /// Everything that a person can read of it.
        let text: String
    }

    var expectedRules: [String] { rules.map(\.rawValue) }

    /// A dictionary with the entries of this case over its own.
    func dictionary(on base: AttributeDictionary) -> AttributeDictionary {
        var joined = base
        for (key, value) in entries.values { joined[key] = value }
        joined.foreignKeyCount += entries.foreignKeyCount
        return joined
    }

    /// Calls the parser as the function would.
    func judge(
        _ verb: Finding.Verb,
        _ parse: (inout QueryParser) throws(KeychainError) -> Void
    ) -> Verdict {
        let profiles = Profiles(system: system, behavior: behavior)
        return Self.judge(QueryParser(verb, profiles: profiles), parse)
    }

    static func judge(
        _ fresh: QueryParser,
        _ parse: (inout QueryParser) throws(KeychainError) -> Void
    ) -> Verdict {
        var parser = fresh
        var status = SecurityStatus.success
        var reason = ""
        do throws(KeychainError) {
            try parse(&parser)
        } catch {
            status = error.status
            reason = error.description
        }
        let lines = parser.findings.map(\.description) + [reason]
        return Verdict(
            status: status,
            rules: parser.findings.map(\.rule),
            text: lines.joined(separator: "\n")
        )
    }
}

extension BehaviorProfile {
    /// The documented outcomes with one switch set.
    static func documented(_ change: (inout BehaviorProfile) -> Void) -> BehaviorProfile {
        var profile = BehaviorProfile.documented
        change(&profile)
        return profile
    }
}

extension AttributeDictionary {
    /// That many keys that have no effect anywhere.
    static func ignoredKeys(_ count: Int) -> AttributeDictionary {
        let keys = (0..<count).map { "f_key\($0)" }
        return AttributeDictionary(
            SortedEntries(keys.map { ($0, AttributeValue.bool(true)) })
        )
    }

    /// No entry, but keys that are not strings.
    static func foreignKeys(_ count: Int) -> AttributeDictionary {
        AttributeDictionary([:], foreignKeyCount: count)
    }
}
