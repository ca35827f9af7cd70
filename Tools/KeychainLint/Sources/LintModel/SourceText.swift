/// The text of a file, and the starts of its lines.
package struct SourceText: Sendable {
    /// The path as it appears in reports.
    package let path: String
    package let text: String
    /// The offsets, in bytes of UTF-8, of the first byte of every line.
    private let lineStarts: [Int]

    package init(path: String, text: String) {
        self.path = path
        self.text = text
        var starts = [0]
        var offset = 0
        for byte in text.utf8 {
            offset += 1
            if byte == 0x0A { starts.append(offset) }
        }
        lineStarts = starts
    }

    /// Returns the number of the line that contains a byte; the first line is 1.
    package func line(at offset: Int) -> Int {
        var low = 0
        var high = lineStarts.count
        while high - low > 1 {
            let middle = (low + high) / 2
            if lineStarts[middle] <= offset { low = middle } else { high = middle }
        }
        return low + 1
    }

    /// Returns a line without its line break; empty if the file has no line with this number.
    package func line(_ number: Int) -> String {
        guard number >= 1, number <= lineStarts.count else { return "" }
        let end = number < lineStarts.count ? lineStarts[number] : text.utf8.count
        let line = slice(lineStarts[number - 1]..<end)
        return String(line.reversed().drop(while: \.isNewline).reversed())
    }

    /// The line break of the file, which is that of its first line.
    package var lineBreak: String {
        let bytes = Array(text.utf8.prefix(lineStarts.count > 1 ? lineStarts[1] : 0).suffix(2))
        return bytes == [0x0D, 0x0A] ? "\r\n" : "\n"
    }

    package var lineCount: Int { lineStarts.count }

    /// Returns the place of some bytes.
    ///
    /// Columns count code points and start with 1.
    package func place(_ range: Range<Int>) -> Place {
        let first = line(at: range.lowerBound)
        let last = line(at: max(range.lowerBound, range.upperBound))
        return Place(
            file: path,
            line: first,
            column: column(of: range.lowerBound, inLine: first),
            endLine: last,
            endColumn: column(of: range.upperBound, inLine: last),
            offset: range.lowerBound
        )
    }

    /// Returns the place of a whole line.
    package func place(ofLine number: Int) -> Place {
        let known = min(max(number, 1), lineStarts.count)
        let start = lineStarts[known - 1]
        return place(start..<(start + line(known).utf8.count))
    }

    private func column(of offset: Int, inLine line: Int) -> Int {
        slice(lineStarts[line - 1]..<offset).unicodeScalars.count + 1
    }

    private func slice(_ range: Range<Int>) -> String {
        let bytes = text.utf8
        let count = bytes.count
        let start = bytes.index(bytes.startIndex, offsetBy: min(range.lowerBound, count))
        let end = bytes.index(bytes.startIndex, offsetBy: min(range.upperBound, count))
        return start <= end ? String(decoding: bytes[start..<end], as: UTF8.self) : ""
    }
}

/// A part of a file.
package struct Place: Sendable, Equatable {
    package let file: String
    package let line: Int
    package let column: Int
    package let endLine: Int
    package let endColumn: Int
    /// The number of bytes before the place.
    package let offset: Int

    package init(
        file: String,
        line: Int,
        column: Int,
        endLine: Int,
        endColumn: Int,
        offset: Int
    ) {
        self.file = file
        self.line = line
        self.column = column
        self.endLine = endLine
        self.endColumn = endColumn
        self.offset = offset
    }
}
