// ★ Table: what each reason against a chain is called, and said.

import Cryptography
import KeychainModel

extension TrustFailure {
    /// Apple's status for the reason.
    var status: SecurityStatus { SecurityStatus(rawValue: row.code) }

    /// The reason and the certificate that it is about.
    var sentence: String {
        let which = depth == 0 ? "The certificate" : "The issuer \(depth) above it"
        return "\(which) \(row.words)."
    }

    private var row: (code: OSStatus, words: String) {
        switch reason {
        case .expired: (errSecCertificateExpired, "has expired")
        case .notYetValid: (errSecCertificateNotValidYet, "is not valid yet")
        case .hostNameMismatch: (errSecHostNameMismatch, "stands for another host")
        case .untrustedRoot: (errSecNotTrusted, "is a root that is not trusted")
        case .incompleteChain: (errSecCreateChainFailed, "has an issuer that is missing")
        case .badSignature: (errSecVerifyFailed, "has a wrong signature")
        case .wrongPurpose: (errSecInvalidExtendedKeyUsage, "is not made for this use")
        case .notAuthority: (errSecNoBasicConstraintsCA, "may not issue certificates")
        case .nameNotPermitted: (errSecInvalidName, "has a name that its issuer may not give")
        case .weakAlgorithm: (errSecNotTrusted, "uses a key or hash that is too weak")
        case .other(let words): (errSecNotTrusted, "is refused (\(words))")
        }
    }
}
