import KeychainModel

/// The display form of a program's name in a prompt.
///
/// A name is short, because a prompt must have room for the rest of its text. A path is one word:
/// if it had blanks, its end could look like the sentence of a prompt.
///
///     ProgramName.shown("/opt/My App/mailer")     // /opt/My\u{20}App/mailer
package enum ProgramName {
    /// The largest name in bytes.
    package static let limit = 100
    private static let gap = "…"

    /// Returns the name with all characters escaped that could hide or imitate other text.
    ///
    /// A name beyond the limit loses its middle: a path keeps its first directories and its file.
    package static func shown(_ name: String) -> String {
        let isPath = name.hasPrefix("/")
        let pieces = name.unicodeScalars.map { spelled($0, isPath) }
        guard pieces.reduce(0, { $0 + $1.utf8.count }) > limit else { return pieces.joined() }
        let room = limit - gap.utf8.count
        let start = prefix(of: pieces, within: room / 3)
        let end = prefix(of: pieces.reversed(), within: room - room / 3)
        return start.joined() + gap + end.reversed().joined()
    }

    private static func spelled(_ scalar: Unicode.Scalar, _ isPath: Bool) -> String {
        let category = scalar.properties.generalCategory
        // Marks are drawn over other letters, and an ellipsis could imitate a cut.
        let isMark = [.nonspacingMark, .enclosingMark, .spacingMark].contains(category)
        let isBlank = isPath && category == .spaceSeparator
        guard isMark || isBlank || String(scalar) == gap || VisibleText.isHidden(scalar) else {
            return String(scalar)
        }
        return "\\u{" + String(scalar.value, radix: 16) + "}"
    }

    /// Returns the pieces from the start that fit together.
    private static func prefix(of pieces: [String], within room: Int) -> ArraySlice<String> {
        var rest = room
        let count = pieces.prefix { piece in
            rest -= piece.utf8.count
            return rest >= 0
        }.count
        return pieces.prefix(count)
    }
}
