import Cryptography

/// The place of a link on a relay: its number, and SHA-256 of its stored bytes.
///
/// The digest covers the stored bytes with their signatures, so other bytes never take a link's
/// place. Readers recognize two encodings of one link themselves. The boxes of a link have a
/// separate place: the number of the link, and SHA-256 of the boxes.
///
/// - Source: Documentation/Spec/relays.md §1.
package struct LinkPlace: Sendable, Hashable, Comparable {
    package let number: UInt64
    package let digest: SyncDigest

    package init(number: UInt64, digest: SyncDigest) {
        self.number = number
        self.digest = digest
    }

    /// Computes the place of these bytes.
    package init(number: UInt64, of bytes: [UInt8]) throws(CryptographyError) {
        self.init(number: number, digest: try SyncDigest(of: bytes))
    }

    package static func < (first: Self, second: Self) -> Bool {
        (first.number, first.digest) < (second.number, second.digest)
    }
}
