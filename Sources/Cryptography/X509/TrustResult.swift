/// The result of a trust evaluation.
package struct TrustResult: Sendable {
    /// The certificates from the leaf to the anchor, or as far as they could be followed.
    package let chain: [Certificate]

    /// The reason why the leaf is not trusted; `nil` if it is trusted.
    package let failure: TrustFailure?

    /// Whether the leaf is trusted.
    package var isTrusted: Bool { failure == nil }
}
