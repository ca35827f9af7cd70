import Cryptography

/// Where a relay keeps a link: its number, and SHA-256 of its bytes as they are stored.
///
/// The digest is of the stored bytes with their signatures. So other bytes never take a link's
/// place. Readers unite two encodings of one link by themselves. The boxes of a link have a place
/// of their own: the number of the link, and SHA-256 of the boxes.
///
/// - Source: Documentation/Spec/relays.md §1.
package struct LinkPlace: Sendable, Hashable, Comparable {
    package let number: UInt64
    package let digest: SyncDigest

    package init(number: UInt64, digest: SyncDigest) {
        self.number = number
        self.digest = digest
    }

    /// The place of these bytes.
    package init(number: UInt64, of bytes: [UInt8]) throws(CryptographyError) {
        self.init(number: number, digest: try SyncDigest(of: bytes))
    }

    package static func < (first: Self, second: Self) -> Bool {
        (first.number, first.digest) < (second.number, second.digest)
    }
}
