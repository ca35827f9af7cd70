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
        /// A key is too small or a hash too weak.
        case weakAlgorithm
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
