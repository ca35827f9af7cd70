/// Foreign text on a line of this package, quoted so that it cannot be mistaken for its words.
///
/// Programs and people choose paths, groups and names of units. Only a text that could be mistaken
/// for other text is in double quotes.
/// - Source: Documentation/Spec/log.md §7.
package enum QuotedText {
    /// Returns the text unchanged, or in quotes with escapes.
    ///
    /// A text is plain if it is not empty and contains only the ASCII letters and digits and `.`,
    /// `_`, `-`, `/`, `:`, `@`, `+`, `=`, `~`, `%` and `,`. Within quotes, letters, digits and
    /// printable ASCII are shown as they are, except `"` and `\`, which get a backslash. Every
    /// other character becomes `\u{…}`: non-ASCII blanks, look-alikes of quotes, and letters of
    /// right-to-left scripts.
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

    /// Whether a scalar is shown as it is within quotes.
    private static func isShown(_ scalar: Unicode.Scalar, _ isFirst: Bool) -> Bool {
        if scalar.isASCII { return 0x20..<0x7F ~= scalar.value }
        guard !rightToLeft.contains(where: { $0.contains(scalar.value) }) else { return false }
        switch scalar.properties.generalCategory {
        case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .otherLetter, .decimalNumber:
            return true
        // A combining mark at the beginning would change the look of the quote.
        case .nonspacingMark, .spacingMark: return !isFirst
        default: return false
        }
    }

    /// The blocks of right-to-left scripts.
    private static let rightToLeft: [ClosedRange<UInt32>] = [
        0x0590...0x08FF, 0xFB1D...0xFDFF, 0xFE70...0xFEFF, 0x10800...0x10FFF, 0x1E800...0x1EFFF,
    ]
}
