import Cryptography
import Secrets

/// The first 100 bits of a digest, for people to compare and type.
///
/// It is the code of a circle, or the fingerprint of a device that wants to join.
///
/// ```
/// 3K7Q-0V2M-9XJD-T6RA-H4WE
/// ```
///
/// - Source: Documentation/Spec/sync.md §1; Crockford, Base 32.
package struct SyncCode: Sendable, Hashable {
    package static let byteCount = 13
    private static let characterCount = 20
    private static let groupCount = 4

    /// The 13 bytes; the last 4 bits are zeros.
    package let bytes: [UInt8]

    /// Takes the first 100 bits of a digest.
    package init(_ digest: SyncDigest) {
        var bytes = Array(digest.bytes.prefix(Self.byteCount))
        bytes[Self.byteCount - 1] &= 0xF0
        self.bytes = bytes
    }

    /// Reads a typed code; nil unless it has exactly 20 characters that can be read.
    package init?(_ text: String) {
        let typed = Secret(copying: text.utf8)
        guard let bits = CrockfordText.bytes(of: typed, characterCount: Self.characterCount) else {
            return nil
        }
        bytes = bits.copyBytesUnprotected()
    }

    /// The code in five groups of four characters.
    package var text: String {
        let text = CrockfordText.text(
            of: Secret(copying: bytes),
            characterCount: Self.characterCount,
            groupCount: Self.groupCount
        )
        return String(decoding: text.copyBytesUnprotected(), as: UTF8.self)
    }

    /// Derives the name by which a relay knows the circle.
    package func account() throws(CryptographyError) -> AccountName {
        let digest = try SyncDigest(of: Array("sync account".utf8) + bytes)
        return AccountName(unchecked: Array(digest.bytes.prefix(AccountName.byteCount)))
    }

    /// Derives the key that seals requests to join.
    func requestKey() throws(CryptographyError) -> Secret {
        try HKDF.deriveKey(
            from: Secret(copying: bytes),
            salt: [],
            info: Array("sync request".utf8),
            byteCount: AESGCM.keyByteCount
        )
    }
}

extension SyncCode {
    /// Creates a code from its 13 bytes; nil for any other bytes.
    package init?(bytes: [UInt8]) {
        guard bytes.count == Self.byteCount, bytes[Self.byteCount - 1] & 0x0F == 0 else {
            return nil
        }
        self.bytes = bytes
    }

    /// Derives the name by which a relay knows the circle.
    package func accountName() throws(SyncError) -> AccountName {
        try backed { () throws(CryptographyError) in try account() }
    }
}
