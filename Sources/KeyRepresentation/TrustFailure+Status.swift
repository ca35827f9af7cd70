// ★ Table: the name and the sentence of each reason against a chain.

import Cryptography
import KeychainModel

extension TrustFailure {
    /// Apple's status for the reason.
    package var status: SecurityStatus { row.status }

    /// The reason and the certificate that it concerns.
    package var sentence: String {
        let which = depth == 0 ? "The certificate" : "The issuer \(depth) above it"
        return "\(which) \(row.words)."
    }

    private var row: (status: SecurityStatus, words: String) {
        switch reason {
        case .expired: (.certificateExpired, "has expired")
        case .notYetValid: (.certificateNotValidYet, "is not valid yet")
        case .hostNameMismatch: (.hostNameMismatch, "is for another host")
        case .untrustedRoot: (.notTrusted, "is a root that is not trusted")
        case .incompleteChain: (.createChainFailed, "has an issuer that is missing")
        case .badSignature: (.verifyFailed, "has a wrong signature")
        case .wrongPurpose: (.invalidExtendedKeyUsage, "is not made for this use")
        case .notAuthority: (.noBasicConstraintsCA, "may not issue certificates")
        case .nameNotPermitted: (.invalidName, "has a name that its issuer does not permit")
        case .weakKey: (.unsupportedKeySize, "has a key that is too small")
        case .weakSignature: (.invalidDigestAlgorithm, "is signed with a hash that is too weak")
        case .validTooLong: (.validityPeriodTooLong, "is valid for too long")
        case .other(let words): (.notTrusted, "was rejected (\(words))")
        }
    }
}

extension SecurityStatus {
    fileprivate static let createChainFailed = SecurityStatus(rawValue: -25318)
    fileprivate static let hostNameMismatch = SecurityStatus(rawValue: -67602)
    fileprivate static let noBasicConstraintsCA = SecurityStatus(rawValue: -67605)
    fileprivate static let invalidExtendedKeyUsage = SecurityStatus(rawValue: -67609)
    fileprivate static let invalidName = SecurityStatus(rawValue: -67689)
    fileprivate static let certificateExpired = SecurityStatus(rawValue: -67818)
    fileprivate static let certificateNotValidYet = SecurityStatus(rawValue: -67819)
    fileprivate static let notTrusted = SecurityStatus(rawValue: -67843)
    fileprivate static let unsupportedKeySize = SecurityStatus(rawValue: -67735)
    fileprivate static let invalidDigestAlgorithm = SecurityStatus(rawValue: -67815)
    fileprivate static let validityPeriodTooLong = SecurityStatus(rawValue: -67901)
}
