/// The inside of a JSON string.
package enum JSONString {
    /// Emits the UTF-8 of a string's inside, which is never longer than its written form.
    ///
    /// - Returns: Whether every escape was valid.
    package static func decode(
        _ bytes: Slice<UnsafeRawBufferPointer>,
        _ emit: (UInt8) -> Void
    ) -> Bool {
        var rest = bytes
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "\\") else {
                emit(byte)
                continue
            }
            guard let letter = rest.popFirst() else { return false }
            if letter == UInt8(ascii: "u") {
                guard let scalar = scalar(&rest) else { return false }
                for unit in UTF8.encode(scalar) ?? .init() { emit(unit) }
            } else {
                guard let plain = escapes[letter] else { return false }
                emit(plain)
            }
        }
        return true
    }

    /// Returns a string's inside as text; nil for invalid escapes or UTF-8.
    static func text(_ inside: Slice<UnsafeRawBufferPointer>) -> String? {
        var decoded: [UInt8] = []
        guard decode(inside, { decoded.append($0) }) else { return nil }
        return String(validating: decoded, as: UTF8.self)
    }

    private static let escapes: [UInt8: UInt8] = [
        UInt8(ascii: "\""): UInt8(ascii: "\""), UInt8(ascii: "\\"): UInt8(ascii: "\\"),
        UInt8(ascii: "/"): UInt8(ascii: "/"), UInt8(ascii: "b"): 8, UInt8(ascii: "f"): 12,
        UInt8(ascii: "n"): 10, UInt8(ascii: "r"): 13, UInt8(ascii: "t"): 9,
    ]

    /// Reads four digits, and for a surrogate its other half; nil for a lone half.
    private static func scalar(_ rest: inout Slice<UnsafeRawBufferPointer>) -> Unicode.Scalar? {
        guard let first = unit(&rest) else { return nil }
        guard UTF16.isLeadSurrogate(first) else { return Unicode.Scalar(first) }
        guard rest.popFirst() == UInt8(ascii: "\\"), rest.popFirst() == UInt8(ascii: "u"),
            let second = unit(&rest), UTF16.isTrailSurrogate(second)
        else { return nil }
        let high = UInt32(first - 0xD800) << 10
        return Unicode.Scalar(0x10000 + high + UInt32(second - 0xDC00))
    }

    private static func unit(_ rest: inout Slice<UnsafeRawBufferPointer>) -> UInt16? {
        var value: UInt16 = 0
        for _ in 0..<4 {
            guard let byte = rest.popFirst(),
                let digit = Character(UnicodeScalar(byte)).hexDigitValue
            else { return nil }
            value = value << 4 | UInt16(digit)
        }
        return value
    }
}
