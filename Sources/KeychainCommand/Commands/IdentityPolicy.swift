import Cryptography

/// The requirements that `find-identity` checks in a certificate.
struct IdentityPolicy {
    /// The value of `-p`.
    let word: String
    /// The policy's name in the output.
    let name: String
    let purpose: TrustEvaluation.Purpose

    // ★ Table: the policies that can be evaluated here, with macOS's words and names.
    static let table: [IdentityPolicy] = [
        .init(word: "basic", name: "X.509 Basic", purpose: .any),
        .init(word: "ssl-client", name: "SSL (client)", purpose: .tlsClient),
        .init(word: "ssl-server", name: "SSL (server)", purpose: .tlsServer),
        .init(word: "codesigning", name: "Code Signing", purpose: .codeSigning),
    ]

    /// The policies of macOS that are not available here.
    static let unavailable: Set<String> = [
        "smime", "eap", "ipsec", "ichat", "sys-default", "sys-kerberos-kdc",
        "appleID", "macappstore",
    ]
}

extension TrustFailure {
    // ★ Table: the words of macOS's command for each reason, for scripts that search for them.

    /// The word in a listing, such as `CSSMERR_TP_CERT_EXPIRED`.
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
