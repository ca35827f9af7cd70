/// The first thing that speaks against a chain.
package struct TrustFailure: Sendable, Hashable {
    /// What is wrong.
    package enum Reason: Sendable, Hashable {
        /// It was valid once.
        case expired
        /// It will be valid later.
        case notYetValid
        /// It is for another host.
        case hostNameMismatch
        /// The chain ends in a root that is no anchor.
        case untrustedRoot
        /// An issuer is missing.
        case incompleteChain
        /// A signature is wrong.
        case badSignature
        /// It is not made for this use.
        case wrongPurpose
        /// An issuer may not issue certificates, or not so many levels of them.
        case notAuthority
        /// An issuer may not issue for this name.
        case nameNotPermitted
        /// A key is too small.
        case weakKey
        /// A signature has a hash that is too weak.
        case weakSignature
        /// It is valid for longer than a TLS server's certificate may be.
        case validTooLong
        /// Anything else, in libcrypto's own words.
        case other(String)
    }

    /// What is wrong.
    package let reason: Reason

    /// Where: 0 is the leaf.
    package let depth: Int

    /// Names what is wrong and where.
    init(_ reason: Reason, depth: Int) {
        self.reason = reason
        self.depth = depth
    }
}

extension TrustFailure {
    /// The failure that counts of two; the first if they weigh the same.
    ///
    /// - Source: Apple's published Security source names the gravest failure of all that it finds:
    ///   keys, hashes, what certificates must be, the anchor, the use, the name, the date.
    static func graver(_ first: TrustFailure?, _ second: TrustFailure?) -> TrustFailure? {
        guard let first, let second else { return first ?? second }
        return second.rank < first.rank ? second : first
    }

    /// The place in the order of gravity; 0 comes before all others.
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
