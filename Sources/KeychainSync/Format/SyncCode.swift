import Cryptography
import Secrets

/// 100 bits of a digest, in a form that people read to each other and type: a circle's code, or
/// the fingerprint of a device that wants to join.
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
    private static let alphabet = Array("0123456789ABCDEFGHJKMNPQRSTVWXYZ".utf8)

    /// 13 bytes, the last 4 bits of which are zeros.
    package let bytes: [UInt8]

    /// The first bits of a digest.
    package init(_ digest: SyncDigest) {
        var bytes = Array(digest.bytes.prefix(Self.byteCount))
        bytes[Self.byteCount - 1] &= 0xF0
        self.bytes = bytes
    }

    /// The code of the circle that a founding statement made.
    package init(circleOf founding: [UInt8]) throws(CryptographyError) {
        self.init(try SyncDigest(of: Array("sync circle".utf8) + founding))
    }

    /// Reads what a person typed; nil unless there are 20 characters that can be meant.
    package init?(_ text: String) {
        var bytes: [UInt8] = []
        var accumulator = 0
        var bitCount = 0
        var count = 0
        for character in text.uppercased().utf8 where character != UInt8(ascii: "-") {
            guard let value = Self.value(of: character) else { return nil }
            accumulator = accumulator << 5 | value
            bitCount += 5
            count += 1
            if bitCount >= 8 {
                bitCount -= 8
                bytes.append(UInt8(truncatingIfNeeded: accumulator >> bitCount))
                accumulator &= (1 << bitCount) - 1
            }
        }
        guard count == Self.characterCount else { return nil }
        self.bytes = bytes + [UInt8(accumulator << (8 - bitCount))]
    }

    private static func value(of character: UInt8) -> Int? {
        switch character {
        case UInt8(ascii: "O"): 0
        case UInt8(ascii: "I"), UInt8(ascii: "L"): 1
        default: alphabet.firstIndex(of: character)
        }
    }

    /// Five groups of four.
    package var text: String {
        var characters: [UInt8] = []
        for place in 0..<Self.characterCount {
            if place > 0, place % Self.groupCount == 0 { characters.append(UInt8(ascii: "-")) }
            let bit = place * 5
            let pair =
                Int(bytes[bit / 8]) << 8
                | (bit / 8 + 1 < bytes.count ? Int(bytes[bit / 8 + 1]) : 0)
            characters.append(Self.alphabet[pair >> (11 - bit % 8) & 31])
        }
        return String(decoding: characters, as: UTF8.self)
    }

    /// What a relay knows the circle by.
    package func account() throws(CryptographyError) -> AccountName {
        let digest = try SyncDigest(of: Array("sync account".utf8) + bytes)
        return AccountName(unchecked: Array(digest.bytes.prefix(AccountName.byteCount)))
    }

    /// The key under which a request to join is sealed.
    func requestKey() throws(CryptographyError) -> Secret {
        try HKDF.deriveKey(
            from: Secret(copying: bytes),
            salt: [],
            info: Array("sync request".utf8),
            byteCount: AESGCM.keyByteCount
        )
    }
}
