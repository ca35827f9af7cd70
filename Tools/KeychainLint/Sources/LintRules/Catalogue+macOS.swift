// ★ macOS: one row for each rule.

extension Catalogue {
    static let macOS: [Rule] = [
        Rule(
            "KC801",
            "missing-data-protection-flag",
            .warning,
            .flow,
            "On macOS the call uses the file-based keychain, which ignores class, access "
                + "group and access control.",
            advice: "Set kSecUseDataProtectionKeychain in every call.",
            source: "Keychain access control guide; Item classes guide",
            owasp: "MASVS-STORAGE-1",
            yieldsTo: ["KC802", "KC805"]
        ),
        Rule(
            "KC802",
            "access-control-without-data-protection-flag",
            .error,
            .flow,
            "On macOS an access control needs the data protection keychain. The call fails "
                + "with -50.",
            advice: "Set kSecUseDataProtectionKeychain.",
            source: "Keychain access control guide",
            owasp: "MASVS-AUTH-2"
        ),
        Rule(
            "KC803",
            "legacy-keychain-call",
            .warning,
            .syntax,
            "The SecKeychain functions are deprecated.",
            advice: "Use SecItem with kSecUseDataProtectionKeychain.",
            source: "Item classes guide"
        ),
        Rule(
            "KC804",
            "data-protection-in-daemon",
            .note,
            .project,
            "A daemon has no user session and so no data protection keychain.",
            advice: "Use the file-based keychain there.",
            source: "Keychain access control guide"
        ),
        Rule(
            "KC805",
            "mixed-keychain-identity",
            .warning,
            .flow,
            "Certificate and key are in different keychains, so they form no identity.",
            advice: "Use the same value of kSecUseDataProtectionKeychain for both.",
            source: "Item classes guide"
        ),
    ]
}
