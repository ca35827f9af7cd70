// Laws  (1) No line is so wide that a dialog cuts it, or makes its window wider than a screen.
//       (2) Only a line of this program starts at the left edge; its continuation is indented.

/// The lines of a dialog's text.
enum DialogLines {
    /// The largest number of columns in a line.
    ///
    /// `pinentry-curses` cuts lines that do not fit a terminal of 80 columns. `pinentry-qt` makes
    /// its window as wide as the widest line.
    static let width = 70
    private static let indentation = "  "

    /// Breaks lines that are too wide: between words if possible, else within a word.
    ///
    ///     DialogLines.broken("[nobody] /srv/mailer asks for …")
    static func broken(_ text: String) -> String {
        text.split(separator: "\n", omittingEmptySubsequences: false)
            .flatMap { lines(of: $0) }.joined(separator: "\n")
    }

    private static func lines(of text: Substring) -> [String] {
        var lines: [String] = []
        var line = ""
        var room = width
        for word in text.split(separator: " ", omittingEmptySubsequences: false) {
            let blank = line.isEmpty || line == indentation ? 0 : 1
            if blank == 1, columns(word) + blank > room {
                lines.append(line)
                (line, room) = (indentation, width - indentation.count)
            } else if blank == 1 {
                line += " "
                room -= 1
            }
            for scalar in word.unicodeScalars {
                if columns(scalar) > room {
                    lines.append(line)
                    (line, room) = (indentation, width - indentation.count)
                }
                line.unicodeScalars.append(scalar)
                room -= columns(scalar)
            }
        }
        return lines + [line]
    }

    private static func columns(_ word: Substring) -> Int {
        word.unicodeScalars.reduce(0) { $0 + columns($1) }
    }

    /// Returns at least the columns of the letter in a terminal: letters from Hangul on may be
    /// wide.
    private static func columns(_ scalar: Unicode.Scalar) -> Int { scalar.value < 0x1100 ? 1 : 2 }
}
