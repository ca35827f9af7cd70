import KeychainModel

/// One file of a log, read line by line.
struct LogScan {
    /// What one piece of the file is.
    enum Piece {
        case header(LogHeader)
        case line(StoredLine)
        /// Bytes that are neither; a line feed may follow them.
        case other
        /// Bytes at the end without a line feed.
        case unfinished
    }

    private let bytes: [UInt8]
    /// Where the next piece begins.
    private(set) var offset = 0

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    /// The next piece and its text up to the code; nil at the end.
    mutating func next() -> (piece: Piece, text: ArraySlice<UInt8>)? {
        guard offset < bytes.count else { return nil }
        let rest = bytes[offset...]
        guard let end = rest.firstIndex(of: UInt8(ascii: "\n")) else {
            offset = bytes.count
            return (.unfinished, rest)
        }
        let whole = rest[..<end]
        let isFirst = offset == 0
        offset = end + 1
        let text = whole.dropLast(2 * AuditKeys.codeByteCount)
        if isFirst {
            guard let header = LogHeader(parsing: whole) else { return (.other, whole) }
            return (.header(header), text)
        }
        guard let line = StoredLine(parsing: whole) else { return (.other, whole) }
        return (.line(line), text)
    }
}

/// How far a file is what was written.
struct LogExtent {
    /// The header's number of the first line; nil for a file without a right header.
    var first: UInt64?
    /// The code that the header says came before.
    var previous = AuditKeys.noCode
    /// The last line that is right.
    var last: UInt64 = 0
    var lastCode = AuditKeys.noCode
    /// Where the right part ends, and the file.
    var byteCount = 0
    var fileByteCount: Int
    /// Whether all of the file is right.
    var isWhole = true
    /// The code of one line, if it was met.
    var codeOfInterest: [UInt8]?

    /// Reads a file as far as it is right; the code of the line of interest is kept.
    init(of bytes: [UInt8], keys: AuditKeys, interest: UInt64) {
        fileByteCount = bytes.count
        var scan = LogScan(bytes)
        guard case (.header(let header), let text)? = scan.next(),
            keys.code(.header, of: text) == header.code, header.first > 0
        else {
            isWhole = bytes.isEmpty
            return
        }
        first = header.first
        previous = header.previous
        last = header.first - 1
        lastCode = header.code
        byteCount = scan.offset
        while let (piece, text) = scan.next() {
            guard case .line(let line) = piece, last < .max, line.number == last + 1,
                keys.code(.line, after: lastCode, of: text) == line.code
            else {
                isWhole = false
                return
            }
            last = line.number
            lastCode = line.code
            byteCount = scan.offset
            if last == interest { codeOfInterest = line.code }
        }
    }
}
