/// The public keys of a device, or of a circle's recovery key.
///
/// - Source: Documentation/Spec/sync.md §1.
package struct PeerKeys: Sendable, Hashable {
    /// The size of an uncompressed point of P-256.
    package static let publicKeyByteCount = 65

    /// 65 bytes.
    package let signing: [UInt8]
    /// 65 bytes.
    package let agreement: [UInt8]

    /// Creates the keys; nil unless each has 65 bytes.
    ///
    /// `arePoints` checks whether they are points of P-256.
    package init?(signing: [UInt8], agreement: [UInt8]) {
        guard signing.count == Self.publicKeyByteCount, agreement.count == signing.count else {
            return nil
        }
        self.signing = signing
        self.agreement = agreement
    }

    /// Whether two owners share a public key, even for different purposes.
    func shares(with other: PeerKeys) -> Bool {
        signing == other.signing || agreement == other.agreement
            || signing == other.agreement || agreement == other.signing
    }
}
