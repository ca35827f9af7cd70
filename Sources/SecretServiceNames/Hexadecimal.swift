/// Bytes as two lower-case hexadecimal digits each.
package enum Hexadecimal {
    private static let digits = Array("0123456789abcdef".utf8)

    package static func text(_ bytes: some Sequence<UInt8>) -> String {
        let letters = bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }
        return String(decoding: letters, as: UTF8.self)
    }

    /// Returns the bytes; nil unless the text consists of pairs of lower-case digits.
    package static func bytes(_ text: String) -> [UInt8]? {
        let values = text.utf8.map { digits.firstIndex(of: $0) }
        guard values.count.isMultiple(of: 2), !values.contains(nil) else { return nil }
        let numbers = values.compactMap(\.self)
        return stride(from: 0, to: numbers.count, by: 2).map { index in
            UInt8(numbers[index] << 4 | numbers[index + 1])
        }
    }
}
