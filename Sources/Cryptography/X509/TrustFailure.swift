/// The failure of a chain.
package struct TrustFailure: Sendable, Hashable {
    /// The reason of a failure.
    package enum Reason: Sendable, Hashable {
        /// The certificate has expired.
        case expired
        /// The certificate is not valid yet.
        case notYetValid
        /// The certificate is for another host.
        case hostNameMismatch
        /// The chain ends in a root that is not an anchor.
        case untrustedRoot
        /// An issuer is missing.
        case incompleteChain
        /// A signature is wrong.
        case badSignature
        /// The certificate is not for this use.
        case wrongPurpose
        /// An issuer may not issue certificates, or has too many levels below it.
        case notAuthority
        /// An issuer may not issue for this name.
        case nameNotPermitted
        /// A key is too small.
        case weakKey
        /// A signature uses a hash that is too weak.
        case weakSignature
        /// Its period is longer than a TLS server's certificate may have.
        case validTooLong
        /// Anything else, in libcrypto's own words.
        case other(String)
    }

    /// The reason of the failure.
    package let reason: Reason

    /// The depth in the chain; 0 is the leaf.
    package let depth: Int

    /// Creates a failure with its reason and depth.
    init(_ reason: Reason, depth: Int) {
        self.reason = reason
        self.depth = depth
    }
}

extension TrustFailure {
    /// Returns the more serious of two failures; the first if they rank equal.
    ///
    /// - Source: Apple's published Security source reports the most serious of all failures: keys,
    ///   hashes, the requirements for certificates, the anchor, the use, the name, the date.
    static func graver(_ first: TrustFailure?, _ second: TrustFailure?) -> TrustFailure? {
        guard let first, let second else { return first ?? second }
        return second.rank < first.rank ? second : first
    }

    /// The position in the order of severity; 0 is the most serious.
    private var rank: Int {
        switch reason {
        case .weakKey: 0
        case .weakSignature: 1
        case .badSignature, .notAuthority, .nameNotPermitted, .validTooLong, .other: 2
        case .untrustedRoot, .incompleteChain: 3
        case .wrongPurpose: 4
        case .hostNameMismatch: 5
        case .expired, .notYetValid: 6
        }
    }
}
