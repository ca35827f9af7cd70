import KeychainModel

/// The text form of the fields of a log's lines.
///
/// - Source: Documentation/Spec/log.md §2.
enum LogText {
    /// The largest line that is read, in bytes; `append` writes no longer ones.
    static let lineByteCountLimit = 64 * 1024

    /// The largest text that is kept, in bytes; the rest of a longer one becomes an ellipsis.
    private static let fieldByteCountLimit = 1024

    private static let empty = UInt8(ascii: "-")
    private static let backslash = UInt8(ascii: "\\")

    static func appendTab(to bytes: inout [UInt8]) { bytes.append(UInt8(ascii: "\t")) }

    static func append(_ number: some FixedWidthInteger, to bytes: inout [UInt8]) {
        bytes += String(number).utf8
    }

    /// Returns code and line feed.
    static func ending(with code: [UInt8]) -> [UInt8] {
        var bytes: [UInt8] = []
        appendEnding(with: code, to: &bytes)
        return bytes
    }

    /// Appends code and line feed.
    static func appendEnding(with code: [UInt8], to bytes: inout [UInt8]) {
        append(hex: code, to: &bytes)
        bytes.append(UInt8(ascii: "\n"))
    }

    /// Returns a text for people that stays on its line; a longer one is shortened.
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

    /// Appends a text that cannot end the field or the line, or control a terminal.
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

    /// Appends a text that needs no escape and no cut.
    ///
    /// - Returns: Whether that was possible; otherwise no byte is appended.
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

    /// Whether a scalar is escaped: controls, line separators, invisible marks, and marks that
    /// change the direction of writing.
    private static func isEscaped(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case ..<0x20, 0x7F..<0xA0, 0xAD, 0x061C, 0x180E, 0x200B...0x200F, 0x2028...0x202E,
            0x2060...0x206F, 0xFEFF, 0xFFF9...0xFFFB, 0xE0000...0xE007F:
            true
        default: false
        }
    }

    /// Returns the start of a long text, up to a whole scalar.
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

// The functions that read.
extension LogText {
    /// Reads a number without sign or unnecessary zeros.
    static func number<N: FixedWidthInteger>(_ text: ArraySlice<UInt8>, as: N.Type) -> N? {
        guard text.count <= 20, let number = N(String(decoding: text, as: UTF8.self)),
            String(number).utf8.elementsEqual(text)
        else { return nil }
        return number
    }

    /// Reads a code of 16 bytes.
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

    /// Reads a text; nil for invalid escapes.
    ///
    /// The line's reader verifies that the text has the form of `append`.
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
