/// What a trust evaluation found.
package struct TrustResult: Sendable {
    /// The certificates from the leaf to the anchor, or as far as they could be followed.
    package let chain: [Certificate]

    /// Why not to trust the leaf; `nil` if it is trusted.
    package let failure: TrustFailure?

    /// Whether the leaf is trusted.
    package var isTrusted: Bool { failure == nil }
}
