import Testing

/// Bytes written as the standards print them: hexadecimal, spaced at will.
struct Hex: Sendable, ExpressibleByStringLiteral, CustomTestStringConvertible {
    let bytes: [UInt8]

    init(stringLiteral text: String) {
        let digits = text.compactMap(\.hexDigitValue)
        precondition(digits.count.isMultiple(of: 2), "A byte has two hexadecimal digits.")
        bytes = stride(from: 0, to: digits.count, by: 2).map { index in
            UInt8(digits[index] << 4 | digits[index + 1])
        }
    }

    var testDescription: String { "\(bytes.count) bytes" }
}
