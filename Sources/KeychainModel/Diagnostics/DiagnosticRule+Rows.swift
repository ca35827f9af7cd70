// ★ Table: the texts of the rules. Documentation/Diagnostics.md is generated from it.

extension DiagnosticRule {
    /// The texts of a rule.
    struct Row {
        let sentence: String
        let occasion: String
        let advice: String
        let source: String
        var outcomes: Outcomes?
    }

    /// The texts of this rule; a test checks that every rule has a row.
    var row: Row {
        Self.rows[self] ?? Row(sentence: "", occasion: "", advice: "", source: "")
    }

    private static let rows = disputed.merging(mistakes) { $1 }.merging(conditions) { $1 }

    /// Calls that Apple's source and the guides answer differently.
    private static let disputed: [DiagnosticRule: Row] = [
        .missingOperator: Row(
            sentence: "Two authentication flags are combined without .or or .and.",
            occasion: "SecAccessControlCreateWithFlags gets two constraints and no operator.",
            advice: "Add .or if one of them is enough, .and if you need both.",
            source: "Keychain access control guide; Apple Security source (Security-61901)",
            outcomes: .behavior(
                documented: "nil and errSecParam (-50)",
                appleSource: "both are required"
            )
        ),
        .primaryKeyUpdate: Row(
            sentence: "An update changes an attribute of the primary key.",
            occasion: "SecItemUpdate gets a new account, service, server or the like.",
            advice: "Read the item, add it under its new name, read that back, delete the old one.",
            source: "Migration guide; Apple Security source (Security-61901)",
            outcomes: .behavior(
                documented: "errSecParam (-50)",
                appleSource: "the item is updated"
            )
        ),
        .accessControlUpdate: Row(
            sentence: "An update replaces the access control.",
            occasion: "SecItemUpdate gets kSecAttrAccessControl among the new values.",
            advice: "Delete the item and add it again with the new access control.",
            source: "Keychain access control guide; Apple Security source (Security-61901)",
            outcomes: .behavior(
                documented: "errSecParam (-50), delete and add instead",
                appleSource: "0"
            )
        ),
        .tagOnCertificate: Row(
            sentence: "A certificate has no application tag.",
            occasion: "A dictionary about a certificate has kSecAttrApplicationTag.",
            advice: "Name the certificate with kSecAttrLabel, or find it by issuer and serial.",
            source: "Item classes guide; Apple Security source (Security-61901)",
            outcomes: .behavior(
                documented: "errSecParam (-50)",
                appleSource: "errSecNoSuchAttr (-25303)"
            )
        ),
        .keyWithoutType: Row(
            sentence: "A key is added without kSecAttrKeyType.",
            occasion: "SecItemAdd gets the bytes of a key and no type.",
            advice: "Make the key with SecKeyCreateWithData and add it as kSecValueRef.",
            source: "Item classes guide; Apple Security source (Security-61901)",
            outcomes: .behavior(
                documented: "errSecParam (-50)",
                appleSource: "stored with type 0"
            )
        ),
        .synchronizableThisDeviceOnly: Row(
            sentence: "A synchronizable item cannot stay on this device only.",
            occasion: "An add or update has kSecAttrSynchronizable and a ThisDeviceOnly class.",
            advice: "Choose the class without ThisDeviceOnly, or do not synchronize the item.",
            source: "Item classes guide; Apple Security source (Security-61901)",
            outcomes: .behavior(
                documented: "errSecParam (-50)",
                appleSource: "stored, never synchronized"
            )
        ),
        .foreignUpdateKey: Row(
            sentence:
                "The new values of an update may contain only attributes and kSecValueData.",
            occasion: "SecItemUpdate gets kSecClass, a kSecMatch or a kSecReturn key among the "
                + "new values.",
            advice: "Put such keys into the query, the first dictionary.",
            source: "Keychain fundamentals; Apple Security source (Security-61901)",
            outcomes: .behavior(
                documented: "errSecParam (-50)",
                appleSource: "errSecNoSuchAttr (-25303)"
            )
        ),
        .agreeingAccessControl: Row(
            sentence: "kSecAttrAccessible repeats what kSecAttrAccessControl already says.",
            occasion: "One dictionary has both with the same class, and the access control "
                + "requires nothing else.",
            advice: "Leave kSecAttrAccessible out.",
            source: "Keychain access control guide; Apple Security source (Security-61901)",
            outcomes: .behavior(
                documented: "errSecParam (-50)",
                appleSource: "accepted when both agree"
            )
        ),
    ]

    /// Common mistakes of programs.
    private static let mistakes: [DiagnosticRule: Row] = [
        .accessibleInSearch: Row(
            sentence: "kSecAttrAccessible filters a search: it finds no item with another value, "
                + "but adding such an item again returns errSecDuplicateItem.",
            occasion: "The query of a search, update or delete has kSecAttrAccessible.",
            advice: "Leave it out of queries; set it in adds and among the new values of updates.",
            source: "Migration guide"
        ),
        .broadDelete: Row(
            sentence: "SecItemDelete has no limit: it deleted every match.",
            occasion: "A delete removes more than one item.",
            advice: "Name the whole primary key if you mean one item.",
            source: "Keychain overview"
        ),
        .matchKeyInWrite: Row(
            sentence: "A kSecMatch key belongs only in a search.",
            occasion: "Such a call has kSecMatchLimit or another kSecMatch key.",
            advice: "Remove the key. No kSecMatch key limits an update or delete.",
            source: "Keychain overview; Apple Security source (Security-61901)",
            outcomes: .system(iOS: "errSecParam (-50)", macOS: "ignored")
        ),
        .returnKeyInUpdate: Row(
            sentence: "A kSecReturn key does not belong in the query of an update.",
            occasion: "SecItemUpdate gets kSecReturnData or another kSecReturn key.",
            advice: "Remove the key; read the item with SecItemCopyMatching.",
            source: "Keychain overview; Apple Security source (Security-61901)",
            outcomes: .system(iOS: "errSecParam (-50)", macOS: "ignored")
        ),
        .missingClass: Row(
            sentence: "The dictionary has no kSecClass.",
            occasion: "A call has neither kSecClass nor a reference.",
            advice: "Add kSecClass.",
            source: "Keychain overview; Apple Security source (Security-61901)"
        ),
        .valueDataInSearch: Row(
            sentence: "kSecValueData is not a search criterion; it was ignored.",
            occasion: "The query of a search, update or delete has kSecValueData.",
            advice: "Remove it, so that nobody takes it for a condition.",
            source: "Keychain reference; Apple Security source (Security-61901)"
        ),
        .caseInsensitive: Row(
            sentence: "kSecMatchCaseInsensitive has no effect here.",
            occasion: "A search asks for it.",
            advice: "Store the text in one case, or compare the results yourself.",
            source: "Keychain reference; Apple Security source (Security-61901)"
        ),
        .itemListIgnored: Row(
            sentence: "kSecMatchItemList has no effect: the search looks at all items.",
            occasion: "A search has kSecMatchItemList.",
            advice: "Search by kSecValuePersistentRef, or choose from the results.",
            source: "Keychain reference; Apple Security source (Security-61901)"
        ),
        .missingAccessible: Row(
            sentence: "The item has no kSecAttrAccessible: it is readable only while unlocked, "
                + "so background work will get errSecInteractionNotAllowed (-25308).",
            occasion: "An add names neither kSecAttrAccessible nor kSecAttrAccessControl.",
            advice: "Name the class that the item needs.",
            source: "Keychain access control guide; Keychain overview"
        ),
        .deprecatedAlways: Row(
            sentence: "kSecAttrAccessibleAlways is deprecated; use "
                + "kSecAttrAccessibleAfterFirstUnlock.",
            occasion: "An add or update names one of the two Always classes, from iOS 12 on.",
            advice: "Name AfterFirstUnlock, or AfterFirstUnlockThisDeviceOnly.",
            source: "Keychain access control guide"
        ),
        .accessibleAndAccessControl: Row(
            sentence: "kSecAttrAccessible and kSecAttrAccessControl exclude each other: the access "
                + "control contains the accessibility.",
            occasion: "Both are in one dictionary.",
            advice: "Leave kSecAttrAccessible out.",
            source: "Keychain access control guide"
        ),
        .gatedAndSynchronizable: Row(
            sentence: "An item with an access control cannot be synchronizable.",
            occasion: "An add or update has kSecAttrAccessControl and kSecAttrSynchronizable.",
            advice: "Choose one of the two.",
            source: "Keychain reference; Biometric authentication"
        ),
        .skipInterfaceMisuse: Row(
            sentence: "Only SecItemCopyMatching accepts kSecUseAuthenticationUISkip.",
            occasion: "An add, update or delete has it.",
            advice: "Remove it.",
            source: "Apple Security source (Security-61901)"
        ),
        .suppliedApplicationLabel: Row(
            sentence: "The key keeps the application label that you named. Code that looks for "
                + "the hash of the public key does not find it. Identities still form.",
            occasion: "An add names an application label that is not the hash.",
            advice: "Name keys with kSecAttrApplicationTag, and leave the label out.",
            source: "Item classes guide"
        ),
        .attributeNotInClass: Row(
            sentence: "The item class does not have this attribute.",
            occasion: "A call names an attribute that belongs to another class.",
            advice: "Remove the attribute, or choose the class that has it.",
            source: "Keychain diagnostics; Apple Security source (Security-61901)"
        ),
        .duplicateAfterMiss: Row(
            sentence: "The same program just searched for an item with this primary key and did "
                + "not find it: the search also named an attribute outside the primary key.",
            occasion: "An add gets errSecDuplicateItem (-25299) after such a search.",
            advice: "Search by only the primary key.",
            source: "Keychain overview"
        ),
        .deleteAfterRefusedRead: Row(
            sentence: "An earlier read failed because the device is locked. Deleting the item now "
                + "destroys a valid item.",
            occasion: "A delete follows a read that got errSecInteractionNotAllowed (-25308).",
            advice: "Wait until protected data is available, and read again.",
            source: "Migration guide"
        ),
        .largeValue: Row(
            sentence: "kSecValueData is larger than a few kilobytes: store a key here, and the "
                + "data in an encrypted file.",
            occasion: "A value has more than 4,096 bytes.",
            advice: "Seal the data in a file under a 32-byte key, and store the key.",
            source: "Item classes guide"
        ),
    ]

    /// Conditions that a call meets without a mistake of its own.
    private static let conditions: [DiagnosticRule: Row] = [
        .damagedRow: Row(
            sentence: "A row is damaged: the keychain skipped it and did not delete it.",
            occasion: "A search or a backup meets a row that does not open.",
            advice: "Run `keychainctl check`; restore a backup if the item matters.",
            source: "Apple Security source (Security-61901)"
        ),
        .restoreConflict: Row(
            sentence: "The backup and the device have an item with this primary key; the newer "
                + "one stays.",
            occasion: "A restore contains an item that exists.",
            advice: "Delete the item first if you want the one in the backup.",
            source: "Apple Security source (Security-61901)"
        ),
        .earlierValueStays: Row(
            sentence: "The earlier sealed value is still in the database's files; the next call "
                + "or opening removes it.",
            occasion: "An update or delete succeeds while another process reads.",
            advice: "Nothing, unless the files leave the machine now.",
            source: "Linux target"
        ),
        .strayCall: Row(
            sentence: "The call belongs to no simulated device, and this process has made one. "
                + "Dispatch queues, operation queues, threads and detached tasks do not inherit "
                + "the app that runs. Give them `app.carrying { … }`, or use `app.run { … }` "
                + "inside. To use this machine's keychain, set KEYCHAIN_HOME.",
            occasion: "A test calls the keychain outside of every app.",
            advice: "Wrap the work in `app.carrying { … }`.",
            source: "Linux target"
        ),
        .refusal: Row(
            sentence: "",
            occasion: "Every call that fails; the finding's sentence is the reason.",
            advice: "See `keychainctl error` with the number.",
            source: "Linux target"
        ),
    ]
}
