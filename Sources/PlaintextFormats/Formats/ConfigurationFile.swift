/// A file of sections and options by the rules of Python's configparser, with which AWS's tools and
/// twine read their files.
///
/// An option begins on a line that is indented no deeper than the option before it; a deeper line
/// continues the value. Comments are whole lines that begin with `#` or `;`.
/// - Source: Python, configparser, "Supported INI File Structure".
struct ConfigurationFile {
    struct Row {
        let section: String
        /// The key in lower case, in which the reader compares it.
        let key: String
        /// The value on the first line, without blanks at its ends; empty if there is none.
        let value: Range<Int>
        /// The line, and the lines that continue the value.
        fileprivate(set) var whole: Range<Int>
        let line: Int
        /// Whether further lines continue the value.
        fileprivate(set) var isContinued = false
    }

    private(set) var rows: [Row] = []
    private(set) var oddities: [PlaintextError] = []
    /// Sections that occur twice; configparser refuses such a file.
    private(set) var repeatedSections: Set<String> = []
    /// The first malformed line of each section.
    private(set) var oddLines: [String: Int] = [:]
    private var sections: Set<String> = []

    /// The current section; nil before the first one, and after a malformed one.
    private var section: String?
    private var indent = 0
    /// Whether the next line may continue the value.
    private var hasOption = false

    init(_ view: ByteView) {
        for line in view.lines {
            let content = view.trimmed(line.content)
            guard let start = content.first, !Self.isComment(view[start]) else { continue }
            let depth = start - line.content.lowerBound
            if hasOption, depth > indent {
                if let last = rows.indices.last {
                    rows[last].whole = rows[last].whole.lowerBound..<line.whole.upperBound
                    rows[last].isContinued = true
                }
                continue
            }
            indent = depth
            do throws(PlaintextError) {
                try read(content, line, view)
            } catch {
                oddities.append(error)
                hasOption = false
                if let section, oddLines[section] == nil { oddLines[section] = error.line }
            }
        }
    }

    private mutating func read(
        _ content: Range<Int>,
        _ line: ByteView.Line,
        _ view: ByteView
    ) throws(PlaintextError) {
        if view[content.lowerBound] == UInt8(ascii: "[") {
            hasOption = false
            section = nil
            guard let close = content.last(where: { view[$0] == UInt8(ascii: "]") }),
                close > content.lowerBound + 1
            else { throw PlaintextError(line.number, "a section that is not closed") }
            let name = try view.text(content.lowerBound + 1..<close)
            if !sections.insert(name).inserted { repeatedSections.insert(name) }
            section = name
            return
        }
        guard let section else { throw PlaintextError(line.number, "an option in no section") }
        guard let separator = content.first(where: { Self.separators.contains(view[$0]) }),
            separator > content.lowerBound
        else { throw PlaintextError(line.number, "neither a comment nor key = value") }
        let key = try view.text(view.trimmed(content.lowerBound..<separator))
        let row = Row(
            section: section,
            key: key.lowercased(),
            value: view.trimmed(separator + 1..<content.upperBound),
            whole: line.whole,
            line: line.number
        )
        rows.append(row)
        hasOption = true
    }

    private static let separators = Set("=:".utf8)

    private static func isComment(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: "#") || byte == UInt8(ascii: ";")
    }

    /// Whether an option or its section occurs twice.
    func isRepeated(_ row: Row) -> Bool {
        repeatedSections.contains(row.section)
            || rows.contains {
                $0.section == row.section && $0.key == row.key && $0.line != row.line
            }
    }

    /// The section whose options apply to all others.
    static let defaults = "DEFAULT"
}
