// ★ Secrets elsewhere: one row for each rule.

extension Catalogue {
    static let secrets: [Rule] = [
        Rule(
            "KC901",
            "secret-in-defaults",
            .error,
            .syntax,
            "UserDefaults are a plain file, and part of backups.",
            advice: "Store the secret in the keychain.",
            source: "Keychain overview; Migration guide",
            owasp: "MASVS-STORAGE-1"
        ),
        Rule(
            "KC902",
            "secret-in-file",
            .warning,
            .flow,
            "The secret is in a file that nothing encrypts.",
            advice: "Store it in the keychain, or seal the file under a key from there.",
            source: "Migration guide",
            owasp: "MASVS-STORAGE-1",
            yieldsTo: ["KC912"]
        ),
        Rule(
            "KC903",
            "hard-coded-secret",
            .warning,
            .syntax,
            "Whoever has the app can read the secret.",
            advice: "Remove the literal and get the secret at run time, from the user or your "
                + "server. Replace a secret that was in a release or repository.",
            source: "Common anti-patterns",
            owasp: "MASVS-CRYPTO-2"
        ),
        Rule(
            "KC904",
            "large-blob",
            .warning,
            .flow,
            "The keychain is for a few kilobytes. Large values make every search slow.",
            advice: "Store a key in the keychain, and the data in a file that it seals.",
            source: "Item classes guide",
            owasp: "MASVS-STORAGE-1",
            dynamic: true
        ),
        Rule(
            "KC905",
            "secret-logging",
            .error,
            .syntax,
            "Logs leave the device in reports.",
            advice: "Do not log the secret, or mark it private.",
            source: "Common anti-patterns",
            owasp: "MASVS-STORAGE-2"
        ),
        Rule(
            "KC906",
            "keychain-on-main-actor",
            .warning,
            .file,
            "The call blocks the user interface, as long as a prompt is open.",
            advice: "Call it on an actor or queue of its own.",
            source: "Keychain fundamentals"
        ),
        Rule(
            "KC907",
            "thread-hostile-wrapper",
            .note,
            .file,
            "Threads change this state at the same time. SecItem itself is safe.",
            advice: "Use an actor or a lock.",
            source: "Migration guide"
        ),
        Rule(
            "KC908",
            "secret-in-configuration",
            .warning,
            .project,
            "The value ships in the app, readable for everybody.",
            advice: "Get it from your server at run time.",
            source: "Credential storage",
            owasp: "MASVS-CRYPTO-2"
        ),
        Rule(
            "KC909",
            "partial-logout",
            .warning,
            .project,
            "The sign-out deletes one account of the service. Others stay and still open "
                + "the session.",
            advice: "Delete by service.",
            source: "Credential storage",
            owasp: "MASVS-STORAGE-1"
        ),
        Rule(
            "KC910",
            "non-atomic-refresh",
            .note,
            .flow,
            "Two refreshes at once can each delete what the other one stored.",
            advice: "Update the item, in one place at a time.",
            source: "Credential storage",
            yieldsTo: ["KC504"]
        ),
        Rule(
            "KC911",
            "third-party-wrapper",
            .note,
            .syntax,
            "A wrapper decides uniqueness and accessibility for you.",
            advice: "Read its defaults, or write the few lines yourself.",
            source: "Keychain overview",
            optional: true
        ),
        Rule(
            "KC912",
            "weak-file-protection",
            .warning,
            .syntax,
            "A file without protection is readable whenever the device runs.",
            advice: "Use .completeFileProtection, or "
                + ".completeFileProtectionUntilFirstUserAuthentication for the background.",
            source: "Keychain access control guide",
            owasp: "MASVS-STORAGE-1"
        ),
        Rule(
            "KC913",
            "deprecated-flag-name",
            .note,
            .syntax,
            "The flag has a new name since iOS 11.3.",
            advice: "Use the .biometry name.",
            source: "Keychain access control guide"
        ),
        Rule(
            "KC914",
            "missing-import",
            .note,
            .file,
            "The names come from Security. On Apple's platforms Foundation imports it too; "
                + "elsewhere it does not.",
            advice: "Add `import Security`.",
            source: "Linux target"
        ),
    ]
}
