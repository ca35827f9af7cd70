import Secrets

/// Writes and reads bits as digits and letters that people do not confuse.
///
/// Reading ignores case, spaces and hyphens, and takes `O` for `0`, `I` and `L` for `1`.
///
/// - Source: Crockford, Base 32.
enum CrockfordText {
    private static let alphabet = Array("0123456789ABCDEFGHJKMNPQRSTVWXYZ".utf8)
    private static let ignored = Array("- \n\r\t".utf8)

    /// Writes the first bits of a secret, five a character, with hyphens between groups.
    static func text(
        of bits: borrowing Secret,
        characterCount: Int,
        groupCount: Int
    ) -> Secret {
        let hyphenCount = (characterCount - 1) / groupCount
        return bits.withUnsafeBytes { bits in
            Secret(byteCount: characterCount + hyphenCount) { buffer in
                var position = 0
                for place in 0..<characterCount {
                    if place > 0, place % groupCount == 0 {
                        buffer[position] = UInt8(ascii: "-")
                        position += 1
                    }
                    let bit = place * 5
                    let next = bit / 8 + 1 < bits.count ? Int(bits[bit / 8 + 1]) : 0
                    let pair = Int(bits[bit / 8]) << 8 | next
                    buffer[position] = alphabet[pair >> (11 - bit % 8) & 31]
                    position += 1
                }
            }
        }
    }

    /// Reads text of exactly `characterCount` characters into bits, filled up with zeros.
    ///
    /// It returns nil for other characters or another number of them.
    static func bytes(of text: borrowing Secret, characterCount: Int) -> Secret? {
        let values = text.withUnsafeBytes { text in
            Secret(byteCount: text.count) { buffer in
                for (place, character) in text.enumerated() {
                    buffer[place] = value(of: character)
                }
            }
        }
        let isRead = values.withUnsafeBytes { values in
            !values.contains(Self.foreign)
                && values.count { $0 != Self.skipped } == characterCount
        }
        guard isRead else { return nil }
        return values.withUnsafeBytes { values in
            Secret(byteCount: (characterCount * 5 + 7) / 8) { buffer in
                var bit = 0
                for value in values where value != Self.skipped {
                    let pair = UInt16(value) << (11 - bit % 8)
                    buffer[bit / 8] |= UInt8(pair >> 8)
                    if bit / 8 + 1 < buffer.count {
                        buffer[bit / 8 + 1] |= UInt8(truncatingIfNeeded: pair)
                    }
                    bit += 5
                }
            }
        }
    }

    private static let foreign: UInt8 = 0xFF
    private static let skipped: UInt8 = 0xFE

    private static func value(of character: UInt8) -> UInt8 {
        let isLower = (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(character)
        let upper = isLower ? character - 32 : character
        switch upper {
        case UInt8(ascii: "O"): return 0
        case UInt8(ascii: "I"), UInt8(ascii: "L"): return 1
        default:
            if ignored.contains(upper) { return skipped }
            return alphabet.firstIndex(of: upper).map { UInt8($0) } ?? foreign
        }
    }
}
