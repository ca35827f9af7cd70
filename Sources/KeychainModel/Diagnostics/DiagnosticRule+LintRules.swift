// ★ Table: the rules of keychain-lint about the same mistakes. Tools/KeychainLint/twins.tsv has
// the same rows for the linter; a test compares them.

extension DiagnosticRule {
    /// The linter's rules about this mistake, such as `KC201`; empty if it is not a program's
    /// mistake.
    package var lintRules: [String] {
        switch self {
        case .accessibleInSearch: ["KC102"]
        case .duplicateAfterMiss: ["KC103"]
        case .broadDelete: ["KC107"]
        case .matchKeyInWrite: ["KC108"]
        case .foreignUpdateKey, .returnKeyInUpdate: ["KC109"]
        case .valueDataInSearch: ["KC110"]
        case .missingClass: ["KC115"]
        case .missingAccessible: ["KC201"]
        case .deprecatedAlways: ["KC202"]
        case .accessibleAndAccessControl, .agreeingAccessControl: ["KC204"]
        case .missingOperator: ["KC301"]
        case .accessControlUpdate: ["KC307"]
        case .gatedAndSynchronizable: ["KC313"]
        case .skipInterfaceMisuse: ["KC314"]
        case .keyWithoutType: ["KC403"]
        case .suppliedApplicationLabel: ["KC404"]
        case .tagOnCertificate: ["KC405"]
        case .attributeNotInClass: ["KC406"]
        case .primaryKeyUpdate: ["KC410"]
        case .deleteAfterRefusedRead: ["KC503"]
        case .synchronizableThisDeviceOnly: ["KC704"]
        case .largeValue: ["KC904"]
        case .refusal: ["KC203", "KC303", "KC310", "KC402", "KC502"]
        case .caseInsensitive, .itemListIgnored, .damagedRow, .restoreConflict,
            .earlierValueStays, .strayCall:
            []
        }
    }

    /// Returns the linter's rules; for a refused call, those that its status allows.
    func lintRules(verb: Finding.Verb, item: String, status: Int32) -> [String] {
        guard self == .refusal else { return lintRules }
        switch (verb, SecurityStatus(rawValue: status)) {
        case (.copyMatching, .interactionNotAllowed): return ["KC203", "KC303", "KC310"]
        case (.add, .param) where item.hasPrefix(ItemClass.identity.rawValue):
            return ["KC402"]
        case (.add, .duplicateItem): return ["KC502"]
        default: return []
        }
    }
}
