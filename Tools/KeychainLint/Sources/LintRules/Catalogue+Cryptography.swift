// ★ Cryptography: one row for each rule.

extension Catalogue {
    static let cryptography: [Rule] = [
        Rule(
            "KX01",
            "explicit-nonce",
            .error,
            .flow,
            "A nonce that repeats reveals the plain texts and forges messages.",
            advice: "Leave out `nonce:`; the call makes a random one.",
            source: "Common anti-patterns; Cryptography guide",
            owasp: "MASVS-CRYPTO-1"
        ),
        Rule(
            "KX02",
            "broken-hash",
            .warning,
            .syntax,
            "MD5 and SHA-1 have known collisions.",
            advice: "Use SHA256 or longer.",
            source: "Common anti-patterns",
            owasp: "MASVS-CRYPTO-1"
        ),
        Rule(
            "KX03",
            "raw-shared-secret",
            .error,
            .flow,
            "A shared secret is not uniformly random.",
            advice: "Derive the key with hkdfDerivedSymmetricKey.",
            source: "Cryptography guide",
            owasp: "MASVS-CRYPTO-1"
        ),
        Rule(
            "KX04",
            "password-as-key",
            .error,
            .flow,
            "A password has too little entropy for a key.",
            advice: "Derive the key with PBKDF2 or Argon2.",
            source: "Cryptography guide",
            owasp: "MASVS-CRYPTO-1",
            yieldsTo: ["KX03"]
        ),
        Rule(
            "KX05",
            "low-iterations",
            .warning,
            .syntax,
            "So few iterations make guessing cheap.",
            advice: "Use 600,000 iterations or more.",
            source: "Cryptography guide",
            owasp: "MASVS-CRYPTO-1"
        ),
        Rule(
            "KX06",
            "weak-random-generator",
            .warning,
            .syntax,
            "This generator is not made for secrets.",
            advice: "Use SecRandomCopyBytes or SymmetricKey(size:).",
            source: "Common anti-patterns",
            owasp: "MASVS-CRYPTO-1"
        ),
        Rule(
            "KX07",
            "legacy-cipher",
            .error,
            .syntax,
            "The cipher or mode is broken, or does not detect changes.",
            advice: "Use AES.GCM or ChaChaPoly.",
            source: "Cryptography guide",
            owasp: "MASVS-CRYPTO-1"
        ),
        Rule(
            "KX08",
            "short-key",
            .note,
            .syntax,
            "A key of 128 bits has less margin.",
            advice: "Use .bits256.",
            source: "Cryptography guide",
            owasp: "MASVS-CRYPTO-1"
        ),
        Rule(
            "KX09",
            "manual-sealed-box",
            .note,
            .flow,
            "The parts are easy to join in the wrong order.",
            advice: "Use `combined`.",
            source: "Cryptography guide",
            owasp: "MASVS-CRYPTO-1"
        ),
        Rule(
            "KX10",
            "variable-time-compare",
            .warning,
            .flow,
            "The time of the comparison tells how many bytes agree.",
            advice: "Use isValidAuthenticationCode, or compare all bytes before you answer.",
            source: "Security review notes",
            owasp: "MASVS-CRYPTO-1"
        ),
        Rule(
            "KX11",
            "secure-enclave-without-simulator-path",
            .warning,
            .file,
            "Some devices and simulators have no Secure Enclave. Creating a key there throws.",
            advice: "Check SecureEnclave.isAvailable, or provide a path for "
                + "`#if targetEnvironment(simulator)`.",
            source: "Secure Enclave guide",
            owasp: "MASVS-CRYPTO-2"
        ),
        Rule(
            "KX12",
            "secure-enclave-import",
            .error,
            .syntax,
            "The Secure Enclave imports no keys; it makes them.",
            advice: "Create the key there, and keep its dataRepresentation.",
            source: "Secure Enclave guide",
            owasp: "MASVS-CRYPTO-2"
        ),
        Rule(
            "KX13",
            "secure-enclave-symmetric",
            .error,
            .syntax,
            "The Secure Enclave has no symmetric keys.",
            advice: "Use P256 there, and derive a symmetric key.",
            source: "Secure Enclave guide",
            owasp: "MASVS-CRYPTO-2"
        ),
        Rule(
            "KX14",
            "secure-enclave-blob-storage",
            .warning,
            .flow,
            "The blob works on this device only, so it must neither synchronize nor migrate.",
            advice: "Store it as a generic password with a ThisDeviceOnly class.",
            source: "Secure Enclave guide",
            owasp: "MASVS-CRYPTO-2"
        ),
        Rule(
            "KX15",
            "encapsulated-key-lost",
            .warning,
            .flow,
            "The receiver needs the encapsulated key to decrypt.",
            advice: "Send encapsulatedKey with the ciphertext.",
            source: "Cryptography guide",
            owasp: "MASVS-CRYPTO-1"
        ),
        Rule(
            "KX16",
            "availability-floor",
            .warning,
            .syntax,
            "Older systems do not have this algorithm.",
            advice: "Guard the code with `#available`.",
            source: "Cryptography guide"
        ),
        Rule(
            "KX17",
            "rsa-for-new-code",
            .note,
            .syntax,
            "RSA keys are large and slow.",
            advice: "Use P-256 or Curve25519.",
            source: "Cryptography guide",
            owasp: "MASVS-CRYPTO-1"
        ),
        Rule(
            "KX18",
            "deprecated-trust-evaluation",
            .warning,
            .syntax,
            "The call is deprecated.",
            advice: "Use SecTrustEvaluateWithError and SecTrustCopyCertificateChain.",
            source: "Certificate trust guide",
            owasp: "MASVS-NETWORK-1"
        ),
        Rule(
            "KX19",
            "missing-host-name",
            .error,
            .syntax,
            "A policy without a host name accepts every valid certificate.",
            advice: "Pass the host name.",
            source: "Certificate trust guide",
            owasp: "MASVS-NETWORK-1"
        ),
        Rule(
            "KX20",
            "anchors-only",
            .warning,
            .flow,
            "With own anchors alone, the system's roots no longer count.",
            advice: "Call SecTrustSetAnchorCertificatesOnly(trust, false), or say why not.",
            source: "Certificate trust guide",
            owasp: "MASVS-NETWORK-1"
        ),
        Rule(
            "KX21",
            "fragile-pinning",
            .warning,
            .file,
            "A pin on one leaf, or without evaluation first, fails at the next renewal or "
                + "accepts a broken chain.",
            advice: "Evaluate the trust first. Pin two public keys by the hash of their SPKI.",
            source: "Certificate trust guide",
            owasp: "MASVS-NETWORK-1"
        ),
        Rule(
            "KX22",
            "transport-security-disabled",
            .error,
            .project,
            "The app accepts unencrypted connections.",
            advice: "Remove NSAllowsArbitraryLoads.",
            source: "Certificate trust guide",
            owasp: "MASVS-NETWORK-1"
        ),
        Rule(
            "KX23",
            "shared-session-with-delegate",
            .warning,
            .file,
            "URLSession.shared never calls a delegate, so the pinning does not run.",
            advice: "Create a URLSession with the delegate.",
            source: "Security review notes",
            owasp: "MASVS-NETWORK-1"
        ),
        Rule(
            "KX24",
            "oauth-web-view",
            .warning,
            .file,
            "A web view lets the app read what the user types.",
            advice: "Use ASWebAuthenticationSession with PKCE.",
            source: "Credential storage",
            owasp: "MASVS-PLATFORM-2"
        ),
    ]
}
