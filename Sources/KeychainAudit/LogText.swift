import KeychainModel

/// How the fields of a log's lines are written and read.
///
/// - Source: Documentation/Spec/log.md §2.
enum LogText {
    /// The most bytes of a line that is read; `append` writes no longer ones.
    static let lineByteCountLimit = 64 * 1024

    /// The most bytes of a text that is kept; the rest of a longer one becomes an ellipsis.
    private static let fieldByteCountLimit = 1024

    private static let empty = UInt8(ascii: "-")
    private static let backslash = UInt8(ascii: "\\")

    static func appendTab(to bytes: inout [UInt8]) { bytes.append(UInt8(ascii: "\t")) }

    static func append(_ number: some FixedWidthInteger, to bytes: inout [UInt8]) {
        bytes += String(number).utf8
    }

    /// Code and line feed.
    static func ending(with code: [UInt8]) -> [UInt8] {
        var bytes: [UInt8] = []
        appendEnding(with: code, to: &bytes)
        return bytes
    }

    /// Adds code and line feed.
    static func appendEnding(with code: [UInt8], to bytes: inout [UInt8]) {
        append(hex: code, to: &bytes)
        bytes.append(UInt8(ascii: "\n"))
    }

    /// A text for people on one line with others; a longer one is shortened.
    static func shown(_ text: String) -> String { QuotedText.of(cut(text)) }

    static func append(hex bytes: [UInt8], to text: inout [UInt8]) {
        for byte in bytes {
            text.append(digit(byte >> 4))
            text.append(digit(byte & 15))
        }
    }

    private static func digit(_ value: UInt8) -> UInt8 {
        value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "a") + value - 10
    }

    static func append(digest: [UInt8], to bytes: inout [UInt8]) {
        if digest.isEmpty { bytes.append(empty) } else { append(hex: digest, to: &bytes) }
    }

    /// A text on one line: nothing in it can end the field, end the line or act on a terminal.
    static func append(field: String, to bytes: inout [UInt8]) {
        let utf8 = field.utf8
        if utf8.isEmpty {
            bytes.append(empty)
            return
        }
        if utf8.count > 1 || utf8.first != empty, appendPlain(utf8, to: &bytes) { return }
        if utf8.count == 1, utf8.first == empty {
            appendEscape(of: "-", to: &bytes)
            return
        }
        append(escaping: cut(field), to: &bytes)
    }

    /// Appends a text of which nothing has to be escaped or cut.
    ///
    /// - Returns: Whether it was one; otherwise nothing is appended.
    private static func appendPlain(_ utf8: String.UTF8View, to bytes: inout [UInt8]) -> Bool {
        guard utf8.count <= fieldByteCountLimit else { return false }
        let isPlain = utf8.withContiguousStorageIfAvailable { text in
            for byte in text where byte &- 0x20 >= 0x5F || byte == backslash { return false }
            bytes.append(contentsOf: text)
            return true
        }
        return isPlain ?? false
    }

    private static func append(escaping field: String, to bytes: inout [UInt8]) {
        for scalar in field.unicodeScalars {
            if scalar == "\\" {
                bytes += [backslash, backslash]
            } else if isEscaped(scalar) {
                appendEscape(of: scalar, to: &bytes)
            } else {
                bytes += UTF8.encode(scalar) ?? .init()
            }
        }
    }

    private static func appendEscape(of scalar: Unicode.Scalar, to bytes: inout [UInt8]) {
        bytes += "\\u{\(String(scalar.value, radix: 16))}".utf8
    }

    /// Controls, separators of lines, invisible marks, and what changes the direction of writing.
    private static func isEscaped(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case ..<0x20, 0x7F..<0xA0, 0xAD, 0x061C, 0x180E, 0x200B...0x200F, 0x2028...0x202E,
            0x2060...0x206F, 0xFEFF, 0xFFF9...0xFFFB, 0xE0000...0xE007F:
            true
        default: false
        }
    }

    /// The beginning of a long text, up to a whole scalar.
    private static func cut(_ field: String) -> String {
        guard field.utf8.count > fieldByteCountLimit else { return field }
        var kept = String.UnicodeScalarView()
        var byteCount = 0
        for scalar in field.unicodeScalars {
            byteCount += UTF8.width(scalar)
            // Room for the ellipsis.
            if byteCount > fieldByteCountLimit - 3 { break }
            kept.append(scalar)
        }
        return String(kept) + "…"
    }
}

// Reading.
extension LogText {
    /// A number without sign or zeros that it does not need.
    static func number<N: FixedWidthInteger>(_ text: ArraySlice<UInt8>, as: N.Type) -> N? {
        guard text.count <= 20, let number = N(String(decoding: text, as: UTF8.self)),
            String(number).utf8.elementsEqual(text)
        else { return nil }
        return number
    }

    /// 16 bytes.
    static func code(_ text: ArraySlice<UInt8>) -> [UInt8]? {
        guard text.count == 2 * AuditKeys.codeByteCount else { return nil }
        return hex(text)
    }

    static func digest(_ text: ArraySlice<UInt8>) -> [UInt8]? {
        if text.elementsEqual([empty]) { return [] }
        guard text.count <= 64, !text.isEmpty else { return nil }
        return hex(text)
    }

    private static func hex(_ text: ArraySlice<UInt8>) -> [UInt8]? {
        guard text.count.isMultiple(of: 2) else { return nil }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.count / 2)
        var high: UInt8?
        for letter in text {
            guard let value = value(of: letter) else { return nil }
            if let first = high {
                bytes.append(first << 4 | value)
                high = nil
            } else {
                high = value
            }
        }
        return bytes
    }

    private static func value(of letter: UInt8) -> UInt8? {
        switch letter {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): letter - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): letter - UInt8(ascii: "a") + 10
        default: nil
        }
    }

    /// A text, or nil for escapes that make no sense.
    ///
    /// Whether it is written as `append` would, the line's reader checks.
    static func field(_ text: ArraySlice<UInt8>) -> String? {
        if text.elementsEqual([empty]) { return "" }
        guard text.contains(backslash) else { return String(validating: text, as: UTF8.self) }
        var bytes: [UInt8] = []
        var rest = text
        while let byte = rest.popFirst() {
            guard byte == backslash else {
                bytes.append(byte)
                continue
            }
            guard let scalar = takeEscape(&rest) else { return nil }
            bytes += UTF8.encode(scalar) ?? .init()
        }
        return String(validating: bytes, as: UTF8.self)
    }

    private static func takeEscape(_ rest: inout ArraySlice<UInt8>) -> Unicode.Scalar? {
        guard let letter = rest.popFirst() else { return nil }
        if letter == backslash { return "\\" }
        guard letter == UInt8(ascii: "u"), rest.popFirst() == UInt8(ascii: "{") else { return nil }
        var value: UInt32 = 0
        for _ in 0..<7 {
            guard let next = rest.popFirst() else { return nil }
            if next == UInt8(ascii: "}") { return Unicode.Scalar(value) }
            guard let digit = Self.value(of: next) else { return nil }
            value = value << 4 | UInt32(digit)
        }
        return nil
    }
}
