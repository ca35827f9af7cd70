/// A parser of the values of a JSON text.
struct JSONParser {
    private let bytes: UnsafeRawBufferPointer
    private let limits: JSONLimits
    private var position = 0
    /// The offsets of line breaks between values; a string contains none.
    private(set) var newlines: [Int] = []

    init(_ bytes: UnsafeRawBufferPointer, _ limits: JSONLimits) {
        self.bytes = bytes
        self.limits = limits
    }

    /// Reads one value with only blanks around it; skips a byte order mark before it.
    mutating func document() throws(JSONError) -> JSONText.Node {
        guard bytes.count <= limits.byteCount else {
            throw error("JSON of more than \(limits.byteCount) bytes")
        }
        if bytes.starts(with: "\u{FEFF}".utf8) { position = 3 }
        let node = try value(depth: 0)
        skipBlanks()
        guard position == bytes.count else { throw error("data after the end of the JSON") }
        return node
    }

    private mutating func value(depth: Int) throws(JSONError) -> JSONText.Node {
        skipBlanks()
        guard depth < limits.depth else { throw error("JSON that is nested too deeply") }
        let start = position
        switch current {
        case UInt8(ascii: "{"):
            let members = try object(depth)
            return JSONText.Node(range: start..<position, content: .object(members))
        case UInt8(ascii: "["):
            let elements = try array(depth)
            return JSONText.Node(range: start..<position, content: .array(elements))
        case UInt8(ascii: "\""):
            try string()
            return JSONText.Node(range: start..<position, content: .string)
        default:
            try word()
            return JSONText.Node(range: start..<position, content: .word)
        }
    }

    private mutating func object(_ depth: Int) throws(JSONError) -> [JSONText.Member] {
        position += 1
        var members: [JSONText.Member] = []
        skipBlanks()
        if take("}") { return members }
        repeat {
            skipBlanks()
            let start = position
            guard current == UInt8(ascii: "\"") else { throw error("a key is missing in the JSON") }
            try string()
            let key = try key(start + 1..<position - 1)
            skipBlanks()
            guard take(":") else { throw error("a colon is missing after a key of the JSON") }
            members.append(
                JSONText.Member(key: key, start: start, value: try value(depth: depth + 1))
            )
            skipBlanks()
        } while take(",")
        guard take("}") else { throw error("an object of JSON that is not closed") }
        return members
    }

    private mutating func array(_ depth: Int) throws(JSONError) -> [JSONText.Node] {
        position += 1
        var elements: [JSONText.Node] = []
        skipBlanks()
        if take("]") { return elements }
        repeat {
            elements.append(try value(depth: depth + 1))
            skipBlanks()
        } while take(",")
        guard take("]") else { throw error("an array of JSON that is not closed") }
        return elements
    }

    /// Skips a string; its escapes are validated when it is decoded.
    private mutating func string() throws(JSONError) {
        let start = position
        position += 1
        while let byte = current {
            if byte == UInt8(ascii: "\"") {
                position += 1
                return
            }
            if byte == UInt8(ascii: "\\") { position += 1 }
            guard current ?? 0x20 >= 0x20 else {
                throw error("a control character in a string of JSON")
            }
            position += 1
        }
        position = start
        throw error("a string of JSON that is not closed")
    }

    private func key(_ range: Range<Int>) throws(JSONError) -> String {
        guard let key = JSONString.text(bytes[range]) else {
            throw error("a key of the JSON that is not text")
        }
        return key
    }

    /// Skips a number, `true`, `false` or `null`.
    private mutating func word() throws(JSONError) {
        let start = position
        while let byte = current, Self.wordBytes.contains(byte) { position += 1 }
        let word = bytes[start..<position]
        let isWord = Self.words.contains { word.elementsEqual($0) }
        guard isWord || JSONNumber.isOne(word) else {
            position = start
            throw error("a value is missing in the JSON")
        }
    }

    private static let words = ["true", "false", "null"].map { Array($0.utf8) }
    private static let wordBytes = Set("abcdefghijklmnopqrstuvwxyzE0123456789+-.".utf8)

    private var current: UInt8? { position < bytes.count ? bytes[position] : nil }

    private mutating func skipBlanks() {
        while let byte = current, [0x20, 0x09, 0x0A, 0x0D].contains(byte) {
            if byte == 0x0A { newlines.append(position) }
            position += 1
        }
    }

    private mutating func take(_ letter: Character) -> Bool {
        guard current == letter.asciiValue else { return false }
        position += 1
        return true
    }

    private func error(_ reason: String) -> JSONError {
        let place = min(position, max(0, bytes.count - 1))
        let line = newlines.partitioningIndex { $0 >= place }
        return JSONError(line: line + 1, reason: reason)
    }
}

extension [Int] {
    /// Returns the first index whose number satisfies a predicate that only later ones satisfy.
    func partitioningIndex(_ passes: (Int) -> Bool) -> Int {
        var low = 0
        var high = count
        while low < high {
            let middle = (low + high) / 2
            if passes(self[middle]) { high = middle } else { low = middle + 1 }
        }
        return low
    }
}
