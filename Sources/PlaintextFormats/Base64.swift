import Secrets

/// Base64 (RFC 4648 §4) of secret bytes.
package enum Base64 {
    private static let digits = Array(
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8
    )
    private static let padding = UInt8(ascii: "=")

    /// Decodes text, and ignores blanks and line ends.
    ///
    /// - Returns: The bytes; nil for other characters, and for missing or misplaced padding.
    package static func decode(_ text: UnsafeRawBufferPointer) -> Secret? {
        guard let digitCount = digitCount(of: text) else { return nil }
        return Secret(byteCount: digitCount * 6 / 8) { target in
            var position = 0
            var bits: UInt32 = 0
            var bitCount = 0
            for value in text.lazy.compactMap(value) {
                bits = bits << 6 | UInt32(value)
                bitCount += 6
                guard bitCount >= 8, position < target.count else { continue }
                bitCount -= 8
                target[position] = UInt8(truncatingIfNeeded: bits >> UInt32(bitCount))
                position += 1
            }
        }
    }

    /// Returns the number of digits; nil if a character or the padding is wrong.
    private static func digitCount(of text: UnsafeRawBufferPointer) -> Int? {
        var digitCount = 0
        var paddingCount = 0
        for byte in text where !isBlank(byte) {
            if byte == padding {
                paddingCount += 1
            } else {
                guard paddingCount == 0, value(of: byte) != nil else { return nil }
                digitCount += 1
            }
        }
        guard paddingCount <= 2, (digitCount + paddingCount).isMultiple(of: 4) else { return nil }
        return digitCount
    }

    private static func isBlank(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: " ") || (0x09...0x0D).contains(byte)
    }

    private static func value(of digit: UInt8) -> UInt8? {
        switch digit {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"): digit - UInt8(ascii: "A")
        case UInt8(ascii: "a")...UInt8(ascii: "z"): digit - UInt8(ascii: "a") + 26
        case UInt8(ascii: "0")...UInt8(ascii: "9"): digit - UInt8(ascii: "0") + 52
        case UInt8(ascii: "+"): 62
        case UInt8(ascii: "/"): 63
        default: nil
        }
    }

    /// Emits lines of at most 64 digits with their line ends, as in PEM (RFC 7468).
    package static func encodeLines(_ bytes: UnsafeRawBufferPointer, _ emit: (UInt8) -> Void) {
        for start in stride(from: 0, to: bytes.count, by: lineByteCount) {
            let line = bytes[start..<min(start + lineByteCount, bytes.count)]
            for group in stride(from: line.startIndex, to: line.endIndex, by: 3) {
                encode(line[group..<min(group + 3, line.endIndex)], emit)
            }
            emit(UInt8(ascii: "\n"))
        }
    }

    /// The number of bytes in a line of 64 digits.
    package static let lineByteCount = 48

    /// Emits the digits of at most three bytes, padded to four characters.
    package static func encode(_ bytes: Slice<UnsafeRawBufferPointer>, _ emit: (UInt8) -> Void) {
        var bits: UInt32 = 0
        for offset in 0..<3 {
            let byte = offset < bytes.count ? bytes[bytes.startIndex + offset] : 0
            bits = bits << 8 | UInt32(byte)
        }
        for (position, shift) in [18, 12, 6, 0].enumerated() {
            let digit = digits[Int(bits >> UInt32(shift) & 63)]
            emit(position <= bytes.count ? digit : padding)
        }
    }
}
