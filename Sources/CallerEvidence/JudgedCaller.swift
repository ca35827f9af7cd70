import KeychainModel

/// A program as a daemon sees it: its level, why, and the groups that follow.
package struct JudgedCaller: Sendable, Hashable {
    package let evidence: Evidence
    package let level: EvidenceLevel
    /// Why the level is no higher, as sentences for people; empty for `verified`.
    package let reasons: [String]
    /// The name that people know: the executable's path, the unit or the sandbox's name.
    package let name: String
    /// What the policy or the path gives.
    package let entitlements: Entitlements

    package init(
        evidence: Evidence,
        level: EvidenceLevel,
        reasons: [String],
        name: String,
        entitlements: Entitlements
    ) {
        self.evidence = evidence
        self.level = level
        self.reasons = reasons
        self.name = name
        self.entitlements = entitlements
    }
}
