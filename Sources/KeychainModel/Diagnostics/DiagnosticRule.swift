/// A rule of the diagnostic channel: a condition that a call can meet at run time.
///
/// The raw value is the ID in findings; Documentation/Diagnostics.md lists them all.
package enum DiagnosticRule: String, CaseIterable, Sendable {
    // Rules on which profiles differ; the IDs are those of Documentation/Contradictions.md.
    case missingOperator = "missing-operator"
    case primaryKeyUpdate = "primary-key-update"
    case accessControlUpdate = "access-control-update"
    case tagOnCertificate = "tag-on-certificate"
    case keyWithoutType = "key-without-type"
    case synchronizableThisDeviceOnly = "synchronizable-this-device"
    case foreignUpdateKey = "class-in-update"
    case agreeingAccessControl = "agreeing-access-control"
    // Common mistakes and conditions.
    case accessibleInSearch = "accessible-in-search"
    case broadDelete = "broad-delete"
    case matchKeyInWrite = "match-key-in-write"
    case returnKeyInUpdate = "return-key-in-update"
    case missingClass = "missing-class"
    case valueDataInSearch = "value-in-search"
    case caseInsensitive = "case-insensitive"
    case itemListIgnored = "item-list"
    case missingAccessible = "missing-accessible"
    case deprecatedAlways = "deprecated-always"
    case accessibleAndAccessControl = "accessible-beside-access-control"
    case gatedAndSynchronizable = "access-control-and-synchronizable"
    case skipInterfaceMisuse = "misplaced-interface-skip"
    case suppliedApplicationLabel = "own-application-label"
    case attributeNotInClass = "attribute-not-in-class"
    case duplicateAfterMiss = "duplicate-after-miss"
    case deleteAfterRefusedRead = "delete-after-refused-read"
    case largeValue = "large-value"
    case damagedRow = "damaged-row"
    case restoreConflict = "restore-conflict"
    case earlierValueStays = "earlier-value-stays"
    case strayCall = "stray-call"
    case refusal = "refused-call"

    /// The remark as a sentence; empty if the reason of the call replaces it.
    package var sentence: String { row.sentence }

    /// The situation in which a call meets the rule.
    package var occasion: String { row.occasion }

    /// The advice for the author of the program.
    package var advice: String { row.advice }

    /// The documents behind the rule, by the titles of Documentation/Contradictions.md.
    package var source: String { row.source }

    /// The outcome in each profile; nil if all agree.
    package var outcomes: String? { row.outcomes?.words }

    /// The outcome in each profile and, if behavior profiles differ, the line that selects one.
    package var otherProfile: String? {
        guard let outcomes = row.outcomes else { return nil }
        return [outcomes.words, outcomes.choice].compactMap(\.self).joined(separator: " ")
    }

    /// The outcomes of the same call in different profiles.
    enum Outcomes {
        case behavior(documented: String, appleSource: String)
        case system(iOS: String, macOS: String)

        var words: String {
            switch self {
            case .system(let iOS, let macOS):
                "iOS: \(iOS); macOS: \(macOS)"
            case .behavior(let documented, let source):
                "documented: \(documented); appleSource: \(source)."
            }
        }

        var choice: String? {
            guard case .behavior = self else { return nil }
            return "To follow Apple's source, make the device with SimulatedDevice(behavior: "
                + ".appleSource). To follow the guides on this machine, set "
                + "KEYCHAIN_BEHAVIOR=documented."
        }
    }
}
