// ★ Migration and lifecycle: one row for each rule.

extension Catalogue {
    static let migration: [Rule] = [
        Rule(
            "KC601",
            "delete-before-verify",
            .error,
            .flow,
            "The old copy is deleted before the new one is proven. If the write failed, the"
                + " secret is lost.",
            advice: "Read, write, read back and compare, then delete.",
            source: "Migration guide",
            owasp: "MASVS-STORAGE-1"
        ),
        Rule(
            "KC602",
            "this-device-item-without-loss-path",
            .note,
            .project,
            "ThisDeviceOnly items do not survive a restore to another device, and no code "
                + "handles -25300.",
            advice: "Let the user sign in again if the item does not exist.",
            source: "Keychain access control guide"
        ),
        Rule(
            "KC603",
            "no-first-launch-cleanup",
            .warning,
            .project,
            "Items survive the deletion of the app. The next user gets the session of the "
                + "previous one.",
            advice: "Detect the first launch with a flag in UserDefaults, and delete the items "
                + "of all classes. Existing users have no flag either: tell them by a key that "
                + "earlier versions set.",
            source: "Migration guide; Common anti-patterns",
            owasp: "MASVS-STORAGE-1"
        ),
        Rule(
            "KC604",
            "incomplete-cleanup",
            .warning,
            .file,
            "The cleanup leaves items of some classes, or the synchronizable ones.",
            advice: "Delete all five classes with kSecAttrSynchronizableAny. That deletes "
                + "synchronizable items on all devices of the user: to keep them, set "
                + "kSecAttrSynchronizable to false.",
            source: "Migration guide",
            owasp: "MASVS-STORAGE-1"
        ),
        Rule(
            "KC605",
            "sdk-before-cleanup",
            .warning,
            .file,
            "The SDK starts before the cleanup and reads items of the previous installation.",
            advice: "Call the cleanup first.",
            source: "Migration guide",
            owasp: "MASVS-STORAGE-1"
        ),
        Rule(
            "KC606",
            "ungated-migration",
            .warning,
            .file,
            "A migration that runs before the first unlock fails, or skips items.",
            advice: "Check isProtectedDataAvailable first, and defer the migration.",
            source: "Migration guide"
        ),
        Rule(
            "KC607",
            "migration-every-launch",
            .warning,
            .file,
            "Nothing records that the migration is done, so it runs at every launch.",
            advice: "Store a schema version in the keychain, and check it.",
            source: "Migration guide"
        ),
        Rule(
            "KC608",
            "schema-version-in-defaults",
            .warning,
            .file,
            "UserDefaults are lost when the app is deleted, but items stay. The migration "
                + "then runs on new data.",
            advice: "Store the version in the keychain.",
            source: "Migration guide"
        ),
        Rule(
            "KC609",
            "renamed-service-or-account",
            .warning,
            .project,
            "Items under the old name become unreachable.",
            advice: "Keep the name, or migrate: read, add under the new name, verify, delete.",
            source: "Migration guide",
            owasp: "MASVS-STORAGE-1"
        ),
        Rule(
            "KC610",
            "multi-resume-observer",
            .error,
            .file,
            "The observer is never removed. The second notification resumes the "
                + "continuation again, which crashes.",
            advice: "Iterate over `notifications(named:)` and break, or remove the observer.",
            source: "Security review notes"
        ),
        Rule(
            "KC611",
            "domain-wipe-kills-guard",
            .warning,
            .file,
            "This also deletes the first-launch flag. The next launch takes itself for the "
                + "first and deletes the keychain.",
            advice: "Remove the keys by name.",
            source: "Security review notes",
            owasp: "MASVS-STORAGE-1"
        ),
        Rule(
            "KC612",
            "legacy-left-behind",
            .warning,
            .flow,
            "The secret stays in plain text in its old place, and in backups.",
            advice: "Delete the old copy after you read the new one back.",
            source: "Migration guide",
            owasp: "MASVS-STORAGE-1"
        ),
        Rule(
            "KC613",
            "no-read-back",
            .note,
            .flow,
            "The old item is deleted although nobody checked that the new one is readable.",
            advice: "Read the new item and compare it before you delete.",
            source: "Migration guide",
            owasp: "MASVS-STORAGE-1",
            yieldsTo: ["KC601"]
        ),
        Rule(
            "KC614",
            "background-migration",
            .warning,
            .project,
            "While the device is locked, the delete succeeds and the add fails.",
            advice: "Migrate in the foreground.",
            source: "Keychain overview",
            owasp: "MASVS-STORAGE-1"
        ),
        Rule(
            "KC615",
            "manual-overwrite",
            .note,
            .flow,
            "Flash memory writes the new bytes elsewhere. The old ones stay.",
            advice: "Delete the file. File protection makes the bytes unreadable.",
            source: "Migration guide"
        ),
        Rule(
            "KC616",
            "insecure-unarchive",
            .warning,
            .syntax,
            "The archive decides which classes it creates.",
            advice: "Use unarchivedObject(ofClass:from:).",
            source: "Migration guide"
        ),
        Rule(
            "KC617",
            "tests-without-cleanup",
            .note,
            .file,
            "Items of one test run are still there in the next one (-25299).",
            advice: "Delete them in setUp and tearDown, or use a new service for each run.",
            source: "Migration guide; Testing guide"
        ),
    ]
}
