import KeychainModel

/// A program as a daemon sees it, with its level, the reasons and its groups.
package struct JudgedCaller: Sendable, Hashable {
    package let evidence: Evidence
    package let level: EvidenceLevel
    /// The reasons why the level is no higher, as sentences for people; empty for `verified`.
    package let reasons: [String]
    /// The name that people know: the path of the executable, the unit or the name of the sandbox.
    package let name: String
    /// The rights that follow from the policy or the path.
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
