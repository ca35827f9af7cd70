/// A file of sections and `key = value` lines, as AWS, npm and Python's tools have them.
///
/// Comments are whole lines that begin with `#` or `;`. Whether an indented line continues the
/// value before it is up to the format.
struct INIDocument {
    struct Row {
        /// Empty in front of the first section.
        let section: String
        let key: String
        /// Without blanks at its ends; empty where there is none.
        let value: Range<Int>
        /// The line, and the lines that continue it.
        let whole: Range<Int>
        let line: Int
        /// Whether further lines belong to the value.
        fileprivate(set) var isContinued = false

        fileprivate func continued(to end: Int) -> Row {
            var row = Row(
                section: section,
                key: key,
                value: value,
                whole: whole.lowerBound..<end,
                line: line
            )
            row.isContinued = true
            return row
        }
    }

    private(set) var rows: [Row] = []

    /// - Throws: `PlaintextError` for a section that is not closed, a line without a separator
    ///   unless `allowsBareKeys`, and a continuation of nothing.
    init(
        _ view: ByteView,
        separators: [Character] = ["="],
        allowsContinuation: Bool = true,
        allowsBareKeys: Bool = false
    ) throws(PlaintextError) {
        var section = ""
        for line in view.lines {
            let content = view.trimmed(line.content)
            guard let first = content.first, !Self.isComment(view[first]) else { continue }
            if allowsContinuation, view.isBlank(view[line.content.lowerBound]) {
                guard let row = rows.popLast() else {
                    throw PlaintextError(line.number, "an indented line without a line to continue")
                }
                rows.append(row.continued(to: line.whole.upperBound))
            } else if view[first] == UInt8(ascii: "[") {
                section = try Self.section(content, line.number, view)
            } else {
                let separator = separators.compactMap { view.first($0, in: content) }.min()
                guard separator != nil || allowsBareKeys else {
                    throw PlaintextError(line.number, "neither a comment nor key = value")
                }
                let keyEnd = separator ?? content.upperBound
                rows.append(
                    Row(
                        section: section,
                        key: try view.text(view.trimmed(content.lowerBound..<keyEnd)),
                        value: view.trimmed(
                            min(keyEnd + 1, content.upperBound)..<content.upperBound
                        ),
                        whole: line.whole,
                        line: line.number
                    )
                )
            }
        }
    }

    private static func isComment(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: "#") || byte == UInt8(ascii: ";")
    }

    private static func section(
        _ content: Range<Int>,
        _ line: Int,
        _ view: ByteView
    ) throws(PlaintextError) -> String {
        guard let close = view.first("]", in: content) else {
            throw PlaintextError(line, "a section that is not closed")
        }
        return try view.text(view.trimmed(content.lowerBound + 1..<close))
    }
}
