/// Finds the values of a JSON text.
struct JSONParser {
    private let view: ByteView
    private var position = 0

    init(_ view: ByteView) { self.view = view }

    /// One value with nothing but blanks around it; a byte order mark in front is passed over.
    mutating func document() throws(PlaintextError) -> JSONText.Node {
        if view.hasPrefix("\u{FEFF}", 0..<view.bytes.count) { position = 3 }
        let node = try value(depth: 0)
        skipBlanks()
        guard position == view.bytes.count else { throw error("data after the end of the JSON") }
        return node
    }

    private mutating func value(depth: Int) throws(PlaintextError) -> JSONText.Node {
        skipBlanks()
        guard depth < JSONText.depthLimit else { throw error("JSON that is nested too deeply") }
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

    private mutating func object(_ depth: Int) throws(PlaintextError) -> [JSONText.Member] {
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

    private mutating func array(_ depth: Int) throws(PlaintextError) -> [JSONText.Node] {
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

    /// Moves behind a string; its escapes are judged where it is decoded.
    private mutating func string() throws(PlaintextError) {
        let start = position
        position += 1
        while let byte = current {
            if byte == UInt8(ascii: "\"") {
                position += 1
                return
            }
            guard byte >= 0x20 else { throw error("a control character in a string of JSON") }
            position += byte == UInt8(ascii: "\\") ? 2 : 1
        }
        position = start
        throw error("a string of JSON that is not closed")
    }

    private func key(_ range: Range<Int>) throws(PlaintextError) -> String {
        var bytes: [UInt8] = []
        guard JSONString.decode(view.bytes[range], { bytes.append($0) }),
            let key = String(validating: bytes, as: UTF8.self)
        else { throw error("a key of the JSON that is not text") }
        return key
    }

    /// A number, `true`, `false` or `null`.
    private mutating func word() throws(PlaintextError) {
        let start = position
        while let byte = current, Self.wordBytes.contains(byte) { position += 1 }
        let text = String(decoding: view.bytes[start..<position], as: UTF8.self)
        guard !text.isEmpty, ["true", "false", "null"].contains(text) || Double(text) != nil else {
            position = start
            throw error("a value is missing in the JSON")
        }
    }

    private static let wordBytes = Set("abcdefghijklmnopqrstuvwxyzE0123456789+-.".utf8)

    private var current: UInt8? { position < view.bytes.count ? view[position] : nil }

    private mutating func skipBlanks() {
        while let byte = current, [0x20, 0x09, 0x0A, 0x0D].contains(byte) { position += 1 }
    }

    private mutating func take(_ letter: Character) -> Bool {
        guard current == letter.asciiValue else { return false }
        position += 1
        return true
    }

    private func error(_ reason: String) -> PlaintextError {
        let place = min(position, max(0, view.bytes.count - 1))
        return PlaintextError(view.bytes.isEmpty ? 1 : view.lineNumber(at: place), reason)
    }
}
