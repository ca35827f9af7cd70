import Secrets

/// The bytes of a file during parsing: its lines, words and secrets as ranges.
struct ByteView {
    /// A line, as ranges in the file.
    struct Line {
        /// The number, counted from 1.
        let number: Int
        /// The line with its line end.
        let whole: Range<Int>
        /// The line without its line end, which is LF, CR LF or missing.
        let content: Range<Int>
    }

    static let newline = UInt8(ascii: "\n")
    static let carriageReturn = UInt8(ascii: "\r")

    let bytes: UnsafeRawBufferPointer
    let lines: [Line]
    /// The position after a byte order mark, which belongs to no line.
    let start: Int

    /// Splits the bytes into lines.
    ///
    /// - Throws: `PlaintextError` for a NUL byte, which text cannot contain.
    init(_ bytes: UnsafeRawBufferPointer) throws(PlaintextError) {
        self.bytes = bytes
        start = bytes.starts(with: "\u{FEFF}".utf8) ? 3 : 0
        lines = Self.lines(of: bytes, from: start)
        guard let zero = bytes.firstIndex(of: 0) else { return }
        if bytes.starts(with: [0xFF, 0xFE]) || bytes.starts(with: [0xFE, 0xFF]) {
            throw PlaintextError(1, "UTF-16, which no tool reads here: save it as UTF-8")
        }
        throw PlaintextError(lineNumber(at: zero), "a NUL byte: the file is not text")
    }

    private static func lines(of bytes: UnsafeRawBufferPointer, from start: Int) -> [Line] {
        var lines: [Line] = []
        var start = start
        while start < bytes.count {
            let newline = bytes[start...].firstIndex(of: Self.newline)
            let end = newline.map { $0 + 1 } ?? bytes.count
            var content = newline ?? bytes.count
            if newline != nil, content > start, bytes[content - 1] == carriageReturn {
                content -= 1
            }
            lines.append(
                Line(number: lines.count + 1, whole: start..<end, content: start..<content)
            )
            start = end
        }
        return lines
    }

    subscript(index: Int) -> UInt8 { bytes[index] }

    /// Returns the number of the line at a position.
    func lineNumber(at place: Int) -> Int {
        var low = 0
        var high = lines.count
        while low < high {
            let middle = (low + high) / 2
            if lines[middle].whole.upperBound <= place { low = middle + 1 } else { high = middle }
        }
        return low + 1
    }

    /// Returns the range without blanks at both ends.
    func trimmed(_ range: Range<Int>) -> Range<Int> {
        var range = range
        while let first = range.first, isBlank(bytes[first]) {
            range = first + 1..<range.upperBound
        }
        while let last = range.last, isBlank(bytes[last]) { range = range.lowerBound..<last }
        return range
    }

    /// Whether a byte is a space, a tab, or a carriage return within a line.
    func isBlank(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") || byte == Self.carriageReturn
    }

    /// Returns the position of a byte's first occurrence; nil if there is none.
    func first(_ letter: Character, in range: Range<Int>) -> Int? {
        guard let byte = letter.asciiValue else { return nil }
        return range.first { bytes[$0] == byte }
    }

    /// Whether a range begins with exactly these bytes.
    func hasPrefix(_ word: String, _ range: Range<Int>) -> Bool {
        range.count >= word.utf8.count
            && zip(range, word.utf8).allSatisfy { bytes[$0] == $1 }
    }

    /// Returns bytes that are not secret as text.
    ///
    /// - Throws: `PlaintextError` for bytes that are not UTF-8.
    func text(_ range: Range<Int>) throws(PlaintextError) -> String {
        let part = UnsafeRawBufferPointer(rebasing: bytes[range])
        guard let text = String(validating: part, as: UTF8.self) else {
            throw PlaintextError(lineNumber(at: range.lowerBound), "a name that is not UTF-8")
        }
        return text
    }

    /// Returns bytes as a secret.
    func secret(_ range: Range<Int>) -> SharedSecret {
        SharedSecret(Secret(copying: UnsafeRawBufferPointer(rebasing: bytes[range])))
    }

    /// Decodes bytes as a secret; nil for bytes that are invalid in the encoding.
    func secret(_ range: Range<Int>, _ encoding: SecretEncoding) -> SharedSecret? {
        encoding.decoded(bytes[range])
    }

    /// Decodes bytes that are not secret as text.
    ///
    /// - Throws: `PlaintextError` for bytes that are not UTF-8.
    func text(_ range: Range<Int>, _ encoding: SecretEncoding) throws(PlaintextError) -> String {
        let text = secret(range, encoding)?.secret.withUnsafeBytes {
            String(validating: $0, as: UTF8.self)
        }
        guard let text = text ?? nil else {
            throw PlaintextError(lineNumber(at: range.lowerBound), "a name that is not UTF-8")
        }
        return text
    }
}

extension Slice<UnsafeRawBufferPointer> {
    /// Returns the bytes that a rule emits, which are at most as many as it reads.
    func secret<E>(
        rule: (Slice<UnsafeRawBufferPointer>, (UInt8) -> Void) throws(E) -> Void
    ) throws(E) -> SharedSecret {
        var written = 0
        let all = try Secret(byteCount: count) { target throws(E) in
            try rule(self) { byte in
                guard written < target.count else { return }
                target[written] = byte
                written += 1
            }
        }
        return SharedSecret(
            all.withUnsafeBytes {
                Secret(copying: UnsafeRawBufferPointer(rebasing: $0.prefix(written)))
            }
        )
    }
}
