import KeychainModel

/// A reader of one file of a log, line by line.
struct LogScan {
    /// The kind of one piece of the file.
    enum Piece {
        case header(LogHeader)
        case line(StoredLine)
        /// Other bytes; a line feed may follow them.
        case other
        /// Bytes at the end without a line feed.
        case unfinished
    }

    private let bytes: [UInt8]
    /// The offset of the next piece.
    private(set) var offset = 0

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    /// Returns the next piece and its text up to the code; nil at the end.
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

/// The valid part of a file.
struct LogExtent {
    /// The header's number of the first line; nil for a file without a valid header.
    var first: UInt64?
    /// The code of the previous file, by the header.
    var previous = AuditKeys.noCode
    /// The last valid line.
    var last: UInt64 = 0
    var lastCode = AuditKeys.noCode
    /// The end of the valid part, and of the file.
    var byteCount = 0
    var fileByteCount: Int
    /// Whether the whole file is valid.
    var isWhole = true
    /// The code of the line of interest, if it was found.
    var codeOfInterest: [UInt8]?

    /// Reads the valid part of a file, and keeps the code of the line of interest.
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
