/// The parts of a text: prose, literal lines, and entries of lists.
///
/// The tables of commands and the help of programs consist of lines for a terminal. For a man page,
/// this type finds out which lines belong together.
enum ManualText: Equatable {
    /// Lines that a formatter may reflow.
    case prose([String])
    /// Lines that keep their breaks.
    case literal([String])
    /// An entry of a list, with its meaning.
    case entry(tag: String, meaning: [String])

    /// Parses lines.
    ///
    /// A line that contains two spaces is an entry, and deeper lines after it continue it. Indented
    /// lines are literal; in the help of a program they are entries.
    ///
    /// - Parameters:
    ///   - lines: The lines; an empty one ends a paragraph.
    ///   - indentation: The indentation of list entries, in spaces.
    /// - Returns: The parts, in order.
    static func parts(of lines: [String], indentation: Int) -> [ManualText] {
        var parts: [ManualText] = []
        var isNew = true
        for line in lines {
            if line.isEmpty {
                isNew = true
                continue
            }
            let depth = line.prefix { $0 == " " }.count
            if case .entry(let tag, let meaning)? = parts.last, depth > indentation, !isNew {
                parts[parts.count - 1] = .entry(tag: tag, meaning: meaning + [trimmed(line)])
            } else if depth == indentation, let entry = entry(line, isAlone: depth > 0) {
                parts.append(entry)
            } else if case .literal(let earlier)? = parts.last, depth > 0, !isNew {
                parts[parts.count - 1] = .literal(earlier + [line])
            } else if depth > 0 {
                parts.append(.literal([line]))
            } else if case .prose(let earlier)? = parts.last, !isNew {
                parts[parts.count - 1] = .prose(earlier + [line])
            } else {
                parts.append(.prose([line]))
            }
            isNew = false
        }
        return parts
    }

    /// Returns the entry that a line begins.
    ///
    /// Without a gap, only `isAlone` makes the line an entry.
    private static func entry(_ line: String, isAlone: Bool) -> ManualText? {
        let text = trimmed(line)
        let gap = zip(text.indices, text.indices.dropFirst()).first {
            text[$0] == " " && text[$1] == " "
        }
        guard let gap else { return isAlone ? .entry(tag: text, meaning: []) : nil }
        return .entry(tag: String(text[..<gap.0]), meaning: [trimmed(text[gap.0...])])
    }

    private static func trimmed(_ text: some StringProtocol) -> String {
        String(text.drop { $0 == " " })
    }
}

extension RoffText {
    /// Appends parts of a text; the first one begins no paragraph.
    mutating func append(_ parts: [ManualText]) {
        for (index, part) in parts.enumerated() {
            switch part {
            case .prose(let lines):
                if index > 0 { paragraph() }
                for line in lines { self.line(line) }
            case .literal(let lines):
                if index > 0 { paragraph() }
                literal(lines)
            case .entry(let tag, let meaning):
                entry([tag])
                for line in meaning { self.line(line) }
            }
        }
    }
}
