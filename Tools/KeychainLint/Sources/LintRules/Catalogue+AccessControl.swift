// ★ Access control and biometry: one row for each rule.

extension Catalogue {
    static let accessControl: [Rule] = [
        Rule(
            "KC301",
            "missing-operator",
            .error,
            .flow,
            "Two constraints without .or or .and: the documents say that the call fails "
                + "with -50, and Apple's source requires both.",
            advice: "Add .or if one is enough, .and if you need both.",
            source: "Keychain access control guide",
            owasp: "MASVS-AUTH-2",
            dynamic: true
        ),
        Rule(
            "KC302",
            "illegal-flag-combination",
            .error,
            .flow,
            "These flags exclude each other. The call returns nil.",
            advice: "Use one operator and one kind of biometry, and .userPresence alone.",
            source: "Apple Security source (Security-61901)",
            owasp: "MASVS-AUTH-2"
        ),
        Rule(
            "KC303",
            "biometric-on-background-class",
            .warning,
            .flow,
            "An item that asks for the user cannot be read in the background, although its "
                + "class allows that.",
            advice: "Use a foreground class, or keep a second item without constraint for the "
                + "background.",
            source: "Keychain access control guide",
            owasp: "MASVS-AUTH-2",
            dynamic: true
        ),
        Rule(
            "KC304",
            "boolean-biometric-gate",
            .error,
            .file,
            "The result of evaluatePolicy alone unlocks the content. Whoever changes one "
                + "branch bypasses it.",
            advice: "Store the secret behind an access control, and let the keychain release it.",
            source: "Biometric authentication",
            owasp: "MASVS-AUTH-2"
        ),
        Rule(
            "KC305",
            "secure-enclave-key-without-private-key-usage",
            .error,
            .flow,
            "A key of the Secure Enclave without .privateKeyUsage cannot sign.",
            advice: "Add .privateKeyUsage to the flags.",
            source: "Secure Enclave guide",
            owasp: "MASVS-CRYPTO-2"
        ),
        Rule(
            "KC306",
            "unchecked-access-control",
            .warning,
            .syntax,
            "SecAccessControlCreateWithFlags returns nil for flags that the system does not"
                + " support. The unwrapping crashes.",
            advice: "Unwrap with `guard let` and report the error.",
            source: "Keychain access control guide; Keychain overview",
            yieldsTo: ["KC204", "KC301", "KC302"]
        ),
        Rule(
            "KC307",
            "update-access-control",
            .error,
            .flow,
            "The documents say that an update cannot change an access control.",
            advice: "Delete the item and add it again, in a function that can finish both.",
            source: "Keychain access control guide",
            owasp: "MASVS-AUTH-2",
            dynamic: true
        ),
        Rule(
            "KC308",
            "long-reuse-duration",
            .warning,
            .syntax,
            "A recent unlock stands in for the prompt this long. The system caps it at 5 minutes.",
            advice: "Use a short duration and state why.",
            source: "Keychain overview",
            owasp: "MASVS-AUTH-2"
        ),
        Rule(
            "KC309",
            "weak-biometric-flag",
            .note,
            .flow,
            "Whoever enrolls a fingerprint later can read the item.",
            advice: "Use .biometryCurrentSet for what is worth an attack.",
            source: "Keychain overview; Biometric authentication",
            owasp: "MASVS-AUTH-2"
        ),
        Rule(
            "KC310",
            "gated-read-in-background",
            .warning,
            .project,
            "The background cannot prompt. Reading an item with an access control fails "
                + "with -25308.",
            advice: "Keep a second item without constraint for the background.",
            source: "Keychain access control guide",
            owasp: "MASVS-AUTH-2",
            dynamic: true
        ),
        Rule(
            "KC311",
            "no-biometry-fallback",
            .warning,
            .file,
            "If biometry is locked out or not enrolled, this code leaves the user without a"
                + " way on.",
            advice: "Switch over the LAError, and offer the passcode or a sign-in.",
            source: "Biometric authentication; Keychain overview"
        ),
        Rule(
            "KC312",
            "current-set-without-recovery",
            .note,
            .project,
            "A change of fingerprints or faces makes the item unreadable, and no code "
                + "handles -25293 or -25300.",
            advice: "Let the user sign in again, and store the item anew.",
            source: "Biometric authentication",
            owasp: "MASVS-AUTH-2"
        ),
        Rule(
            "KC313",
            "gated-and-synchronizable",
            .error,
            .flow,
            "An item with an access control cannot synchronize. The call fails with -50.",
            advice: "Choose one of the two.",
            source: "Biometric authentication",
            owasp: "MASVS-AUTH-2",
            dynamic: true
        ),
        Rule(
            "KC314",
            "authentication-skip-misuse",
            .error,
            .flow,
            "Only SecItemCopyMatching accepts kSecUseAuthenticationUISkip.",
            advice: "Remove it from this call.",
            source: "Apple Security source (Security-61901)",
            dynamic: true
        ),
    ]
}
