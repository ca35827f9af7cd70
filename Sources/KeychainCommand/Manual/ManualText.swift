/// The parts of a text for people: running text, lines that keep their spaces, and lists.
///
/// The tables of commands and the help of programs are written for a terminal, in lines. A man page
/// needs to know which of these lines belong together.
enum ManualText: Equatable {
    /// Lines that a formatter may break elsewhere.
    case prose([String])
    /// Lines that stay as they are.
    case literal([String])
    /// An entry of a list, and what it means.
    case entry(tag: String, meaning: [String])

    /// Takes lines apart.
    ///
    /// A line with two spaces inside is an entry, and deeper lines after it continue it. Indented
    /// lines stay as they are; in the help of a program they are entries, too.
    ///
    /// - Parameters:
    ///   - lines: The lines; an empty one ends a paragraph.
    ///   - indentation: How far the entries of a list are indented.
    /// - Returns: The parts in their order.
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

    /// The entry that a line begins; nil if there is no tag, or if the tag alone proves nothing.
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
    /// Adds parts of a text, the first one without a paragraph of its own.
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
