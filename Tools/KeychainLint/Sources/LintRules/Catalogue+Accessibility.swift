// ★ Accessibility: one row for each rule.

extension Catalogue {
    static let accessibility: [Rule] = [
        Rule(
            "KC201",
            "missing-accessible",
            .warning,
            .flow,
            "Without kSecAttrAccessible the item is readable only while the device is "
                + "unlocked. Background work gets -25308.",
            advice: "Set kSecAttrAccessible or kSecAttrAccessControl in every add.",
            source: "Keychain access control guide; Keychain overview",
            owasp: "MASVS-STORAGE-1",
            dynamic: true
        ),
        Rule(
            "KC202",
            "deprecated-always",
            .error,
            .syntax,
            "The Always classes are deprecated. The lock state does not protect such an item.",
            advice: "Use kSecAttrAccessibleAfterFirstUnlock or its ThisDeviceOnly variant.",
            source: "Keychain access control guide",
            owasp: "MASVS-STORAGE-1",
            dynamic: true
        ),
        Rule(
            "KC203",
            "when-unlocked-in-background",
            .warning,
            .project,
            "Code that runs in the background reads an item that is readable only while the"
                + " device is unlocked. It gets -25308.",
            advice: "Store the item with kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly, or "
                + "keep a second item for the background.",
            source: "Keychain access control guide; Keychain overview",
            owasp: "MASVS-STORAGE-1",
            dynamic: true,
            yieldsTo: ["KC206", "KC310"]
        ),
        Rule(
            "KC204",
            "accessible-and-access-control",
            .error,
            .flow,
            "kSecAttrAccessControl already contains the accessibility. Both together fail "
                + "with -50.",
            advice: "Remove kSecAttrAccessible.",
            source: "Keychain access control guide",
            owasp: "MASVS-STORAGE-1",
            dynamic: true
        ),
        Rule(
            "KC205",
            "migratable-class",
            .note,
            .flow,
            "An item of this class travels in encrypted backups to other devices.",
            advice: "Use the ThisDeviceOnly variant for tokens and keys that belong to one device.",
            source: "Common anti-patterns",
            owasp: "MASVS-STORAGE-1"
        ),
        Rule(
            "KC206",
            "background-when-passcode-set",
            .warning,
            .project,
            "Items of the WhenPasscodeSet class are never readable while the device is "
                + "locked, but code in the background reads this one.",
            advice: "Use kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly for what the "
                + "background needs.",
            source: "Migration guide",
            owasp: "MASVS-STORAGE-1"
        ),
        Rule(
            "KC207",
            "launch-read-without-protected-data-check",
            .warning,
            .project,
            "The system can start the app before the first unlock. A read of the keychain "
                + "fails then.",
            advice:
                "Check isProtectedDataAvailable first, and defer the read until the notification.",
            source: "Keychain access control guide; Migration guide"
        ),
        Rule(
            "KC208",
            "passcode-class-without-absence-path",
            .note,
            .project,
            "Items of the WhenPasscodeSet class disappear with the passcode. No code "
                + "handles -25300.",
            advice: "Treat -25300 as a normal case, and let the user sign in again.",
            source: "Keychain access control guide"
        ),
    ]
}
