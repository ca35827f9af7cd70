// ★ Statuses: one row for each rule.

extension Catalogue {
    static let statuses: [Rule] = [
        Rule(
            "KC501",
            "ignored-status",
            .error,
            .flow,
            "Nobody reads the status, so a failure goes unnoticed.",
            advice: "Check the status, and report what is not expected.",
            source: "Keychain overview; Common anti-patterns",
            owasp: "MASVS-STORAGE-1",
            yieldsTo: ["KC503"]
        ),
        Rule(
            "KC502",
            "add-without-duplicate-path",
            .warning,
            .flow,
            "The second add of the same item fails with -25299, and nothing handles that.",
            advice: "Update the item if the add returns errSecDuplicateItem, or update first.",
            source: "Item classes guide; Keychain overview",
            owasp: "MASVS-STORAGE-1",
            dynamic: true,
            yieldsTo: ["KC505"]
        ),
        Rule(
            "KC503",
            "delete-on-read-failure",
            .error,
            .flow,
            "A read also fails while the device is locked (-25308). The code then deletes a"
                + " valid item.",
            advice: "Delete only after errSecSuccess and data that does not decode.",
            source: "Migration guide; Keychain overview",
            owasp: "MASVS-STORAGE-1",
            dynamic: true
        ),
        Rule(
            "KC504",
            "delete-then-add",
            .warning,
            .flow,
            "If the add fails, the secret is lost. The new item also loses its creation "
                + "date and its persistent reference.",
            advice: "Update the item, and add it if there is none.",
            source: "Keychain overview; Keychain fundamentals",
            owasp: "MASVS-STORAGE-1"
        ),
        Rule(
            "KC505",
            "locked-as-missing",
            .warning,
            .flow,
            "A locked device (-25308) looks the same as a missing item (-25300) here.",
            advice: "Tell errSecInteractionNotAllowed from errSecItemNotFound, and retry later.",
            source: "Migration guide; Keychain overview",
            owasp: "MASVS-STORAGE-1",
            yieldsTo: ["KC503"]
        ),
        Rule(
            "KC506",
            "not-found-as-error",
            .warning,
            .flow,
            "-25300 is a normal answer: the item does not exist, or is already deleted.",
            advice: "Treat errSecItemNotFound as nil after a read, and as success after a delete.",
            source: "Keychain overview; Keychain fundamentals"
        ),
        Rule(
            "KC507",
            "silent-failure",
            .note,
            .flow,
            "A failure leaves no trace: no error, no log.",
            advice: "Throw the status, or log it.",
            source: "Keychain access control guide",
            yieldsTo: ["KC505", "KC503"]
        ),
        Rule(
            "KC508",
            "duplicate-as-success",
            .warning,
            .flow,
            "With errSecDuplicateItem the old value stays, but the code goes on as if it "
                + "had stored the new one.",
            advice: "Update the item, or compare the values.",
            source: "Common anti-patterns; Item classes guide",
            owasp: "MASVS-STORAGE-1"
        ),
        Rule(
            "KC509",
            "status-without-context",
            .note,
            .flow,
            "A bare status does not say which item and which call failed.",
            advice: "Add the operation, service and account to the error, never the secret.",
            source: "Keychain overview"
        ),
        Rule(
            "KC510",
            "fatal-on-status",
            .warning,
            .flow,
            "The keychain fails for reasons that pass, such as a locked device. The process ends.",
            advice: "Throw the error, and let the caller retry.",
            source: "Keychain overview"
        ),
    ]
}
