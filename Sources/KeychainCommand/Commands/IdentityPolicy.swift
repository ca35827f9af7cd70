import Cryptography

/// What `find-identity` asks of a certificate.
struct IdentityPolicy {
    /// The word behind `-p`.
    let word: String
    /// What the output calls it.
    let name: String
    let purpose: TrustEvaluation.Purpose

    // ★ Table: the policies that can be evaluated here, by macOS's words and names.
    static let table: [IdentityPolicy] = [
        .init(word: "basic", name: "X.509 Basic", purpose: .any),
        .init(word: "ssl-client", name: "SSL (client)", purpose: .tlsClient),
        .init(word: "ssl-server", name: "SSL (server)", purpose: .tlsServer),
        .init(word: "codesigning", name: "Code Signing", purpose: .codeSigning),
    ]

    /// What macOS has beyond these.
    static let unavailable: Set<String> = [
        "smime", "eap", "ipsec", "ichat", "sys-default", "sys-kerberos-kdc",
        "appleID", "macappstore",
    ]
}

extension TrustFailure {
    // ★ Table: the words that macOS's command has for each reason, for scripts that look for them.

    /// Such as `CSSMERR_TP_CERT_EXPIRED`.
    var listingName: String {
        switch reason {
        case .expired: "CSSMERR_TP_CERT_EXPIRED"
        case .notYetValid: "CSSMERR_TP_CERT_NOT_VALID_YET"
        case .hostNameMismatch: "CSSMERR_APPLETP_HOSTNAME_MISMATCH"
        case .untrustedRoot, .incompleteChain, .weakKey, .weakSignature, .validTooLong, .other:
            "CSSMERR_TP_NOT_TRUSTED"
        case .badSignature: "CSSMERR_TP_INVALID_CERTIFICATE"
        case .wrongPurpose: "CSSMERR_APPLETP_INVALID_EXTENDED_KEY_USAGE"
        case .notAuthority: "CSSMERR_APPLETP_NO_BASIC_CONSTRAINTS"
        case .nameNotPermitted: "CSSMERR_TP_INVALID_NAME"
        }
    }
}
