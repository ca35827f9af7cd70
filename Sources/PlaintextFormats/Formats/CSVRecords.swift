import Secrets

/// The records of a CSV file, as ranges.
struct CSVRecords {
    struct Field {
        /// The content, without the quotation marks around it.
        let range: Range<Int>
        let isQuoted: Bool

        var encoding: SecretEncoding { isQuoted ? .csv : .plain }
        var written: WrittenSecret { WrittenSecret(range, encoding) }
    }

    struct Record {
        let line: Int
        /// The record with its line end.
        let whole: Range<Int>
        let fields: [Field]
    }

    private let view: ByteView
    private var position: Int
    private(set) var records: [Record] = []
    private(set) var oddities: [PlaintextError] = []

    /// Parses all records.
    ///
    /// A record with misplaced quotation marks stays in the file, and so does everything after an
    /// unclosed one.
    init(_ view: ByteView) {
        self.view = view
        position = view.start
        while position < view.bytes.count {
            let start = position
            do throws(PlaintextError) {
                let fields = try record()
                let isBlank = fields.count == 1 && fields[0].range.isEmpty && !fields[0].isQuoted
                guard !isBlank else { continue }
                let line = view.lineNumber(at: start)
                records.append(Record(line: line, whole: start..<position, fields: fields))
            } catch {
                oddities.append(error)
                skipRecord(from: start)
            }
        }
    }

    private mutating func record() throws(PlaintextError) -> [Field] {
        var fields: [Field] = []
        while true {
            fields.append(try field())
            guard position < view.bytes.count else { return fields }
            let byte = view[position]
            position += 1
            if byte == UInt8(ascii: ",") { continue }
            if byte == ByteView.carriageReturn, position < view.bytes.count,
                view[position] == ByteView.newline
            {
                position += 1
            }
            return fields
        }
    }

    private mutating func field() throws(PlaintextError) -> Field {
        let quote = UInt8(ascii: "\"")
        let start = position
        guard position < view.bytes.count, view[position] == quote else {
            while position < view.bytes.count, !isEnd(view[position]) { position += 1 }
            return Field(range: start..<position, isQuoted: false)
        }
        position += 1
        while position < view.bytes.count {
            guard view[position] == quote else {
                position += 1
                continue
            }
            let isDoubled = position + 1 < view.bytes.count && view[position + 1] == quote
            if isDoubled {
                position += 2
                continue
            }
            let field = Field(range: start + 1..<position, isQuoted: true)
            position += 1
            guard position == view.bytes.count || isEnd(view[position]) else {
                throw PlaintextError(
                    view.lineNumber(at: position),
                    "text after a closing quotation mark"
                )
            }
            return field
        }
        throw PlaintextError(view.lineNumber(at: start), "a quotation mark that is never closed")
    }

    /// Moves to the start of the next line that is not between quotation marks.
    private mutating func skipRecord(from start: Int) {
        var isOpen = false
        position = start
        while position < view.bytes.count {
            let byte = view[position]
            position += 1
            if byte == UInt8(ascii: "\"") { isOpen.toggle() }
            if byte == ByteView.newline, !isOpen { return }
        }
    }

    private func isEnd(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: ",") || byte == ByteView.newline || byte == ByteView.carriageReturn
    }
}
