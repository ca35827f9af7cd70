/// A rule of the diagnostic channel: something that a call can meet at run time.
///
/// The raw value is the id that findings carry; Documentation/Diagnostics.md lists them all.
package enum DiagnosticRule: String, CaseIterable, Sendable {
    // Both profiles have something to say; the ids are those of Documentation/Contradictions.md.
    case missingOperator = "missing-operator"
    case primaryKeyUpdate = "primary-key-update"
    case accessControlUpdate = "access-control-update"
    case tagOnCertificate = "tag-on-certificate"
    case keyWithoutType = "key-without-type"
    case synchronizableThisDeviceOnly = "synchronizable-this-device"
    case foreignUpdateKey = "class-in-update"
    case agreeingAccessControl = "agreeing-access-control"
    // Usual mistakes.
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

    /// What was noticed; empty where the reason of the call says it.
    package var sentence: String { row.sentence }

    /// When a call meets the rule.
    package var occasion: String { row.occasion }

    /// What the author of the program does about it.
    package var advice: String { row.advice }

    /// The documents that say so, by the titles of Documentation/Contradictions.md.
    package var source: String { row.source }

    /// What each profile does; nil where all agree.
    package var outcomes: String? { row.outcomes?.words }

    /// The same and, where two behavior profiles differ, the lines that choose.
    package var otherProfile: String? {
        guard let outcomes = row.outcomes else { return nil }
        return [outcomes.words, outcomes.choice].compactMap(\.self).joined(separator: " ")
    }

    /// What profiles make of the same call.
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
