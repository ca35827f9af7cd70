/// Four ASCII letters as one number, as creators, types and protocols are written.
enum FourLetterCode {
    /// Returns the number of up to four printable letters, padded with spaces; nil for other text.
    static func number(of text: String) -> Int64? {
        guard let letters = padded(text) else { return nil }
        return letters.utf8.reduce(0) { $0 << 8 | Int64($1) }
    }

    /// Returns the text padded to four letters; nil if it is empty, longer or not printable ASCII.
    static func padded(_ text: String) -> String? {
        guard
            (1...4).contains(text.utf8.count),
            text.utf8.allSatisfy({ (0x20...0x7E).contains($0) })
        else { return nil }
        return text + String(repeating: " ", count: 4 - text.utf8.count)
    }

    /// Returns the letters of a number; nil if one of its four bytes is not printable ASCII.
    static func text(of number: Int64) -> String? {
        guard let code = UInt32(exactly: number) else { return nil }
        let bytes = [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: code >> $0) }
        guard bytes.allSatisfy({ (0x20...0x7E).contains($0) }) else { return nil }
        return String(decoding: bytes, as: UTF8.self)
    }
}
