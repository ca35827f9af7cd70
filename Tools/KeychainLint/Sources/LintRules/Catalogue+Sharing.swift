// ★ Sharing and synchronization: one row for each rule.

extension Catalogue {
    static let sharing: [Rule] = [
        Rule(
            "KC701",
            "group-without-team-prefix",
            .warning,
            .syntax,
            "An access group begins with the team identifier. Without it the call fails "
                + "with -34018.",
            advice: "Write the whole group, TEAMID.com.example.shared.",
            source: "Keychain overview",
            yieldsTo: ["KC709", "KC702", "KC703", "KC708"]
        ),
        Rule(
            "KC702",
            "group-not-entitled",
            .error,
            .project,
            "The entitlements of this target do not contain the group. The call fails with -34018.",
            advice: "Add the group to keychain-access-groups.",
            source: "Keychain overview; Keychain access control guide",
            yieldsTo: ["KC703"]
        ),
        Rule(
            "KC703",
            "extension-missing-group",
            .warning,
            .project,
            "The extension uses a group that its own entitlements do not contain. The call "
                + "fails with -34018.",
            advice: "Add the group to the entitlements of the extension, too.",
            source: "Keychain sharing; Keychain overview"
        ),
        Rule(
            "KC704",
            "sync-with-this-device-only",
            .error,
            .flow,
            "A synchronizable item cannot stay on this device only. The call fails with -50.",
            advice: "Choose the class without ThisDeviceOnly, or do not synchronize.",
            source: "Item classes guide",
            owasp: "MASVS-STORAGE-1",
            dynamic: true
        ),
        Rule(
            "KC705",
            "sync-application-token",
            .note,
            .flow,
            "The token reaches every device of the account.",
            advice: "Keep tokens of one device local.",
            source: "Credential storage",
            owasp: "MASVS-STORAGE-1"
        ),
        Rule(
            "KC706",
            "persistent-reference-of-sync-item",
            .warning,
            .flow,
            "A persistent reference means nothing on another device.",
            advice: "Find the item by its attributes.",
            source: "Item classes guide"
        ),
        Rule(
            "KC707",
            "implicit-group",
            .note,
            .project,
            "The target has several access groups. Without a name the item goes to the first one.",
            advice: "Name kSecAttrAccessGroup.",
            source: "Keychain overview"
        ),
        Rule(
            "KC708",
            "mixed-group-semantics",
            .warning,
            .syntax,
            "App groups begin with `group.` and have no team prefix; keychain groups have one.",
            advice: "Write each kind in its exact form.",
            source: "Keychain overview"
        ),
        Rule(
            "KC709",
            "build-variable-in-code",
            .error,
            .syntax,
            "Xcode replaces this variable in entitlements, not in Swift. The group does not exist.",
            advice: "Write the team identifier, or read the prefix from Info.plist.",
            source: "Keychain sharing"
        ),
        Rule(
            "KC710",
            "sync-blind-query",
            .warning,
            .project,
            "A query without kSecAttrSynchronizable finds no synchronizable item.",
            advice: "Add kSecAttrSynchronizableAny to the query.",
            source: "Keychain sharing; Migration guide"
        ),
    ]
}
