// ★ Table: the rules that a call can meet at run time, shared with the linter by id.

/// A rule of the diagnostic channel.
package enum DiagnosticRule: String, CaseIterable, Sendable {
    // Both profiles have something to say.
    case missingOperator = "C-01"
    case primaryKeyUpdate = "C-02"
    case accessControlUpdate = "C-03"
    case tagOnCertificate = "C-04"
    case keyWithoutType = "C-05"
    case synchronizableThisDeviceOnly = "C-16"
    case foreignUpdateKey = "C-22"
    case agreeingAccessControl = "SAC-03"
    // Usual mistakes.
    case accessibleInSearch = "KC102"
    case broadDelete = "KC107"
    case matchKeyInWrite = "KC108"
    case returnKeyInUpdate = "KC109"
    case missingClass = "KC115"
    case valueDataInSearch = "C-21"
    case caseInsensitive = "C-43"
    case missingAccessible = "KC201"
    case deprecatedAlways = "KC202"
    case accessibleAndAccessControl = "KC204"
    case gatedAndSynchronizable = "KC313"
    case skipInterfaceMisuse = "KC314"
    case suppliedApplicationLabel = "KC404"
    case attributeNotInClass = "KC406"
    case duplicateAfterMiss = "QRY-32"
    case deleteAfterRefusedRead = "KC503"
    case largeValue = "KC904"
    case damagedRow = "STO-11"
    case restoreConflict = "BAK-11"
    case earlierValueStays = "LCK-12"
    case strayCall = "USE-02"
    case refusal = "status"

    /// What was noticed.
    package var sentence: String { row.sentence }

    /// What each profile does, and where two behavior profiles differ the lines that choose; nil
    /// where all agree.
    package var otherProfile: String? { row.outcomes?.words }

    /// What profiles make of the same call.
    private enum Outcomes {
        case behavior(documented: String, appleSource: String)
        case system(iOS: String, macOS: String)

        var words: String {
            switch self {
            case .system(let iOS, let macOS):
                "iOS: \(iOS); macOS: \(macOS)"
            case .behavior(let documented, let source):
                "documented: \(documented); appleSource: \(source). \(Self.choice)"
            }
        }

        private static let choice =
            "To follow Apple's source, make the device with SimulatedDevice(behavior: "
            + ".appleSource). To follow the guides on this machine, set "
            + "KEYCHAIN_BEHAVIOR=documented."
    }

    private var row: (sentence: String, outcomes: Outcomes?) {
        Self.table[self] ?? ("The call was refused.", nil)
    }

    private static let table: [DiagnosticRule: (sentence: String, outcomes: Outcomes?)] = [
        .missingOperator: (
            "Two authentication flags stand together without .or or .and.",
            .behavior(documented: "nil and errSecParam (-50)", appleSource: "both are required")
        ),
        .primaryKeyUpdate: (
            "An update changes an attribute of the primary key.",
            .behavior(documented: "errSecParam (-50)", appleSource: "the row is rewritten")
        ),
        .accessControlUpdate: (
            "An update replaces the access control.",
            .behavior(documented: "errSecParam (-50), delete and add instead", appleSource: "0")
        ),
        .tagOnCertificate: (
            "A certificate has no application tag.",
            .behavior(documented: "errSecParam (-50)", appleSource: "errSecNoSuchAttr (-25303)")
        ),
        .keyWithoutType: (
            "A key is added without kSecAttrKeyType.",
            .behavior(documented: "errSecParam (-50)", appleSource: "stored with type 0")
        ),
        .synchronizableThisDeviceOnly: (
            "A synchronizable item cannot stay on this device only.",
            .behavior(documented: "errSecParam (-50)", appleSource: "stored, never synchronized")
        ),
        .foreignUpdateKey: (
            "The new values of an update take attributes and kSecValueData, nothing else.",
            .behavior(documented: "errSecParam (-50)", appleSource: "errSecNoSuchAttr (-25303)")
        ),
        .agreeingAccessControl: (
            "kSecAttrAccessible repeats what kSecAttrAccessControl already says.",
            .behavior(documented: "errSecParam (-50)", appleSource: "accepted when both agree")
        ),
        .accessibleInSearch: (
            "kSecAttrAccessible in a search filters: an item stored with another value is not "
                + "found, while adding it again is a duplicate.", nil
        ),
        .broadDelete: ("SecItemDelete has no limit: it deleted every match.", nil),
        .matchKeyInWrite: (
            "A kSecMatch key has no place in an add, update or delete.",
            .system(iOS: "errSecParam (-50)", macOS: "ignored")
        ),
        .returnKeyInUpdate: (
            "A kSecReturn key has no place in the query of an update.",
            .system(iOS: "errSecParam (-50)", macOS: "ignored")
        ),
        .missingClass: ("The dictionary names no kSecClass.", nil),
        .valueDataInSearch: ("kSecValueData is not a search criterion; it was ignored.", nil),
        .caseInsensitive: ("kSecMatchCaseInsensitive has no effect here.", nil),
        .missingAccessible: (
            "No kSecAttrAccessible was given: the item is readable only while unlocked, so "
                + "background work will get errSecInteractionNotAllowed (-25308).", nil
        ),
        .deprecatedAlways: (
            "kSecAttrAccessibleAlways is deprecated; use kSecAttrAccessibleAfterFirstUnlock.", nil
        ),
        .accessibleAndAccessControl: (
            "kSecAttrAccessible and kSecAttrAccessControl exclude each other: the access control "
                + "carries the accessibility.", nil
        ),
        .gatedAndSynchronizable: ("An item with an access control cannot be synchronizable.", nil),
        .skipInterfaceMisuse: (
            "kSecUseAuthenticationUISkip is for SecItemCopyMatching alone.", nil
        ),
        .attributeNotInClass: ("The item class does not have this attribute.", nil),
        .duplicateAfterMiss: (
            "The same program just searched for an item with this primary key and missed it: the "
                + "search also named an attribute outside the primary key.", nil
        ),
        .deleteAfterRefusedRead: (
            "The read was refused because the device is locked; deleting now destroys a valid "
                + "item.", nil
        ),
        .largeValue: (
            "kSecValueData is larger than a few kilobytes: keep a key here and the data in an "
                + "encrypted file.", nil
        ),
        .suppliedApplicationLabel: (
            "The key keeps the application label that you named. Code that looks for the hash of "
                + "the public key does not find it; identities form all the same.", nil
        ),
        .damagedRow: (
            "A row is not what was stored: it was skipped, not deleted.", nil
        ),
        .restoreConflict: (
            "The backup and the device have an item with this primary key; the newer one stays.",
            nil
        ),
        .earlierValueStays: (
            "The earlier sealed value is still in the database's files; the next call or opening "
                + "removes it.", nil
        ),
        .strayCall: (
            "The call belongs to no simulated device, and this process has made one. Dispatch "
                + "queues, operation queues, threads and detached tasks do not inherit the app "
                + "that runs. Hand them `app.carrying { … }`, or use `app.run { … }` inside. To "
                + "use this machine's keychain, set KEYCHAIN_HOME.", nil
        ),
        .refusal: ("", nil),
    ]
}
