import Secrets

/// A JSON text whose values know where they stand, so that one can be taken out of its bytes.
///
/// Foundation's parser keeps neither places nor order, so it cannot edit a person's file.
/// - Source: RFC 8259.
package struct JSONText {
    /// A value and where it stands.
    package struct Node {
        package let range: Range<Int>
        let content: Content
    }

    enum Content {
        case object([Member])
        case array([Node])
        case string
        /// A number, `true`, `false` or `null`.
        case word
    }

    struct Member {
        let key: String
        let start: Int
        let value: Node
    }

    /// Values deeper than this are refused: no file of ours is, and the stack is finite.
    static let depthLimit = 64

    private let view: ByteView
    let root: Node

    /// - Throws: `PlaintextError` for anything but one whole value.
    init(_ view: ByteView) throws(PlaintextError) {
        self.view = view
        var parser = JSONParser(view)
        root = try parser.document()
    }

    /// Reads the bytes of a JSON text and hands it on for as long as the bytes are there.
    ///
    /// - Throws: `PlaintextError` for anything but one whole value.
    package static func read<R>(
        _ secret: borrowing Secret,
        _ body: (JSONText) throws(PlaintextError) -> R
    ) throws(PlaintextError) -> R {
        try secret.withUnsafeBytes { bytes throws(PlaintextError) in
            try body(try JSONText(try ByteView(bytes)))
        }
    }

    /// The last value of a key in an object; nil for none, and for other than objects.
    func value(_ key: String, of node: Node?) -> Node? {
        guard case .object(let members)? = node?.content else { return nil }
        return members.last { $0.key == key }?.value
    }

    /// A string as text; nil for other values and where it is not text.
    func text(_ node: Node?) -> String? {
        guard let bytes = secret(node) else { return nil }
        return bytes.secret.withUnsafeBytes { String(validating: $0, as: UTF8.self) }
    }

    /// A string as UTF-8; nil for other values and for bad escapes.
    func secret(_ node: Node?) -> SharedSecret? {
        guard let node, case .string = node.content else { return nil }
        let inner = node.range.lowerBound + 1..<node.range.upperBound - 1
        var isWhole = true
        let decoded = view.secret(inner) { bytes, emit in
            isWhole = JSONString.decode(bytes, emit)
        }
        return isWhole ? decoded : nil
    }

    /// Where the inside of a string stands.
    func written(_ node: Node, _ encoding: SecretEncoding = .json, prefix: String = "")
        -> WrittenSecret
    {
        let inner = node.range.lowerBound + 1..<node.range.upperBound - 1
        return WrittenSecret(inner, encoding, prefix: prefix)
    }

    /// Whether a value is `null`, an empty string, object or array, or not there.
    func isEmpty(_ node: Node?) -> Bool {
        guard let node else { return true }
        return switch node.content {
        case .object(let members): members.isEmpty
        case .array(let elements): elements.isEmpty
        case .string: node.range.count == 2
        case .word: view.hasPrefix("null", node.range)
        }
    }

    func isTrue(_ node: Node) -> Bool { isWord(node, "true") }

    /// Whether a value is that very number.
    func isNumber(_ node: Node?, _ number: String) -> Bool {
        node.map { isWord($0, number) } ?? false
    }

    private func isWord(_ node: Node, _ word: String) -> Bool {
        guard case .word = node.content else { return false }
        return node.range.count == word.utf8.count && view.hasPrefix(word, node.range)
    }

    func line(of node: Node) -> Int { view.lineNumber(at: node.range.lowerBound) }

    func line(of member: Member) -> Int { view.lineNumber(at: member.start) }

    /// The bytes to take out to remove the member at an index, with the comma it needs no more.
    static func removal(of index: Int, from members: [Member]) -> Range<Int> {
        removal(of: index, from: members.map { $0.start..<$0.value.range.upperBound })
    }

    /// The same for the elements of an array.
    static func removal(of index: Int, from elements: [Node]) -> Range<Int> {
        removal(of: index, from: elements.map(\.range))
    }

    private static func removal(of index: Int, from ranges: [Range<Int>]) -> Range<Int> {
        if index + 1 < ranges.count {
            return ranges[index].lowerBound..<ranges[index + 1].lowerBound
        }
        let start = index > 0 ? ranges[index - 1].upperBound : ranges[index].lowerBound
        return start..<ranges[index].upperBound
    }
}

extension JSONText {
    /// The strings of a flat object by their keys, such as the ones of docker's protocol.
    package func strings() -> [String: SharedSecret] {
        guard case .object(let members) = root.content else { return [:] }
        var strings: [String: SharedSecret] = [:]
        for member in members { strings[member.key] = secret(member.value) }
        return strings
    }
}

/// The inside of a JSON string.
enum JSONString {
    /// Hands on the UTF-8 of a string's inside, which is never longer than what is written.
    ///
    /// - Returns: Whether every escape made sense.
    static func decode(
        _ bytes: Slice<UnsafeRawBufferPointer>,
        _ emit: (UInt8) -> Void
    ) -> Bool {
        var rest = bytes
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "\\") else {
                emit(byte)
                continue
            }
            guard let letter = rest.popFirst() else { return false }
            if letter == UInt8(ascii: "u") {
                guard let scalar = scalar(&rest) else { return false }
                for unit in UTF8.encode(scalar) ?? .init() { emit(unit) }
            } else {
                guard let plain = escapes[letter] else { return false }
                emit(plain)
            }
        }
        return true
    }

    private static let escapes: [UInt8: UInt8] = [
        UInt8(ascii: "\""): UInt8(ascii: "\""), UInt8(ascii: "\\"): UInt8(ascii: "\\"),
        UInt8(ascii: "/"): UInt8(ascii: "/"), UInt8(ascii: "b"): 8, UInt8(ascii: "f"): 12,
        UInt8(ascii: "n"): 10, UInt8(ascii: "r"): 13, UInt8(ascii: "t"): 9,
    ]

    /// Four digits, and for a surrogate its other half; nil for a lone half.
    private static func scalar(_ rest: inout Slice<UnsafeRawBufferPointer>) -> Unicode.Scalar? {
        guard let first = unit(&rest) else { return nil }
        guard UTF16.isLeadSurrogate(first) else { return Unicode.Scalar(first) }
        guard rest.popFirst() == UInt8(ascii: "\\"), rest.popFirst() == UInt8(ascii: "u"),
            let second = unit(&rest), UTF16.isTrailSurrogate(second)
        else { return nil }
        let high = UInt32(first - 0xD800) << 10
        return Unicode.Scalar(0x10000 + high + UInt32(second - 0xDC00))
    }

    private static func unit(_ rest: inout Slice<UnsafeRawBufferPointer>) -> UInt16? {
        var value: UInt16 = 0
        for _ in 0..<4 {
            guard let byte = rest.popFirst(),
                let digit = Character(UnicodeScalar(byte)).hexDigitValue
            else { return nil }
            value = value << 4 | UInt16(digit)
        }
        return value
    }
}
