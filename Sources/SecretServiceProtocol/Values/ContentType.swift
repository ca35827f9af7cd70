/// The content types of secrets.
///
/// libsecret takes a value for text only if its type is exactly `text/plain`. Other clients add the
/// character set (`text/plain; charset=utf8`), so both must read the same.
/// - Source: Documentation/Spec/secret-service.md §5; RFC 2045 §5.1 for the syntax.
package enum ContentType {
    package static let plainText = "text/plain"

    /// ★ Table: the character sets whose text is UTF-8, in lower case; the last is that of the C
    /// locale.
    private static let textSets: Set = ["utf-8", "utf8", "us-ascii", "ascii", "ansi_x3.4-1968"]

    /// Returns `text/plain` for UTF-8 text in any spelling, and any other type unchanged.
    ///
    /// Case does not matter, nor do blanks and quotes around parameters. No type at all is text.
    package static func normalized(_ type: String) -> String {
        let parts = type.split(separator: ";", omittingEmptySubsequences: false).map(trimmed)
        guard parts[0].isEmpty || parts[0].lowercased() == plainText else { return type }
        for parameter in parts.dropFirst() where !parameter.isEmpty {
            let words = parameter.split(separator: "=", maxSplits: 1).map(trimmed)
            guard words.count == 2, words[0].lowercased() == "charset",
                textSets.contains(unquoted(words[1]).lowercased())
            else { return type }
        }
        return plainText
    }

    private static func trimmed(_ text: Substring) -> Substring {
        let isBlank: (Character) -> Bool = { $0 == " " || $0 == "\t" }
        var text = text.drop(while: isBlank)
        while let last = text.last, isBlank(last) { text.removeLast() }
        return text
    }

    private static func unquoted(_ text: Substring) -> Substring {
        guard text.count >= 2, let mark = text.first, text.last == mark, "\"'".contains(mark)
        else { return text }
        return text.dropFirst().dropLast()
    }
}
