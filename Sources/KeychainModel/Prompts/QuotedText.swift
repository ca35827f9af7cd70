/// Text of others on a line of ours, so that nobody takes it for our own words.
///
/// Paths, groups and names of units are chosen by programs and people. A text that could be
/// mistaken for something else is shown in double quotes, and only such a text is.
/// - Source: Documentation/Spec/log.md §7.
package enum QuotedText {
    /// The text as it is, or in quotes with escapes.
    ///
    /// A text is plain if it is not empty and has only letters, digits and `.`, `_`, `-`, `/`, `:`,
    /// `@`, `+`, `=`, `~`, `%` and `,` of ASCII. Between the quotes letters, digits and what else
    /// ASCII can print stand for themselves, except `"` and `\`, which follow a backslash. Every
    /// other character is `\u{…}`: blanks that are none of ASCII, signs that look like quotes, and
    /// letters that are written from right to left.
    package static func of(_ text: String) -> String {
        let scalars = text.unicodeScalars
        guard scalars.isEmpty || !scalars.allSatisfy(isPlain) else { return text }
        var quoted = "\""
        var isFirst = true
        for scalar in scalars {
            if scalar == "\"" || scalar == "\\" {
                quoted += "\\"
                quoted.unicodeScalars.append(scalar)
            } else if isShown(scalar, isFirst) {
                quoted.unicodeScalars.append(scalar)
            } else {
                quoted += "\\u{" + String(scalar.value, radix: 16) + "}"
            }
            isFirst = false
        }
        return quoted + "\""
    }

    private static func isPlain(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar {
        case "a"..."z", "A"..."Z", "0"..."9", ".", "_", "-", "/", ":", "@", "+", "=", "~", "%", ",":
            true
        default: false
        }
    }

    /// Whether a scalar stands for itself between quotes.
    private static func isShown(_ scalar: Unicode.Scalar, _ isFirst: Bool) -> Bool {
        if scalar.isASCII { return 0x20..<0x7F ~= scalar.value }
        guard !rightToLeft.contains(where: { $0.contains(scalar.value) }) else { return false }
        switch scalar.properties.generalCategory {
        case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .otherLetter, .decimalNumber:
            return true
        // A mark at the beginning would change how the quote looks.
        case .nonspacingMark, .spacingMark: return !isFirst
        default: return false
        }
    }

    /// The blocks of scripts that are written from right to left.
    private static let rightToLeft: [ClosedRange<UInt32>] = [
        0x0590...0x08FF, 0xFB1D...0xFDFF, 0xFE70...0xFEFF, 0x10800...0x10FFF, 0x1E800...0x1EFFF,
    ]
}
