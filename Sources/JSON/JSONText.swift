/// A JSON text with the positions of its values, so that one can be removed from its bytes.
///
/// Foundation's parser keeps neither positions nor order, so it cannot edit a person's file.
///
/// - Source: RFC 8259.
package struct JSONText {
    /// A value and its position.
    package struct Node {
        package let range: Range<Int>
        package let content: Content
    }

    package enum Content {
        case object([Member])
        case array([Node])
        case string
        /// A number, `true`, `false` or `null`.
        case word
    }

    package struct Member {
        package let key: String
        package let start: Int
        package let value: Node
    }

    /// The whole text.
    package let bytes: UnsafeRawBufferPointer
    package let root: Node
    private let newlines: [Int]

    /// Reads a text whose bytes stay in place while it is in use.
    ///
    /// - Throws: `JSONError` unless it is one whole value.
    package init(
        _ bytes: UnsafeRawBufferPointer,
        _ limits: JSONLimits = JSONLimits()
    ) throws(JSONError) {
        self.bytes = bytes
        var parser = JSONParser(bytes, limits)
        root = try parser.document()
        newlines = parser.newlines
    }

    /// Reads bytes, and passes the text to a function while they exist.
    ///
    /// - Throws: `JSONError` unless it is one whole value.
    package static func read<R>(
        _ bytes: [UInt8],
        _ limits: JSONLimits = JSONLimits(),
        _ body: (JSONText) throws(JSONError) -> R
    ) throws(JSONError) -> R {
        try bytes.withUnsafeBufferPointer { buffer throws(JSONError) in
            try body(try JSONText(UnsafeRawBufferPointer(buffer), limits))
        }
    }

    /// Returns the last value of a key in an object; nil for none, and for other values than
    /// objects.
    package func value(_ key: String, of node: Node?) -> Node? {
        guard case .object(let members)? = node?.content else { return nil }
        return members.last { $0.key == key }?.value
    }

    /// Returns the value at a path of keys and indices; nil for none.
    package func node(at path: [String]) -> Node? {
        var found: Node? = root
        for step in path {
            if case .array(let elements)? = found?.content {
                let index = Int(step)
                found = index.flatMap { elements.indices.contains($0) ? elements[$0] : nil }
            } else {
                found = value(step, of: found)
            }
        }
        return found
    }

    /// Returns a string as text; nil for other values and invalid text.
    package func text(_ node: Node?) -> String? {
        guard let node, let inside = inside(of: node) else { return nil }
        return JSONString.text(bytes[inside])
    }

    /// Returns the position of the inside of a string in its written form; nil for other values.
    package func inside(of node: Node) -> Range<Int>? {
        guard case .string = node.content else { return nil }
        return node.range.lowerBound + 1..<node.range.upperBound - 1
    }

    /// Whether a value is `null`, an empty string, object or array, or missing.
    package func isEmpty(_ node: Node?) -> Bool {
        guard let node else { return true }
        return switch node.content {
        case .object(let members): members.isEmpty
        case .array(let elements): elements.isEmpty
        case .string: node.range.count == 2
        case .word: isWord(node, "null")
        }
    }

    package func isTrue(_ node: Node) -> Bool { isWord(node, "true") }

    /// Whether a value is exactly that number.
    package func isNumber(_ node: Node?, _ number: String) -> Bool {
        node.map { isWord($0, number) } ?? false
    }

    private func isWord(_ node: Node, _ word: String) -> Bool {
        guard case .word = node.content else { return false }
        return bytes[node.range].elementsEqual(word.utf8)
    }

    /// Returns the line of a position outside strings, counted from 1.
    private func line(at place: Int) -> Int { newlines.partitioningIndex { $0 >= place } + 1 }

    package func line(of node: Node) -> Int { line(at: node.range.lowerBound) }

    package func line(of member: Member) -> Int { line(at: member.start) }

    /// Returns the bytes to remove with the member at an index, including its comma.
    package static func removal(of index: Int, from members: [Member]) -> Range<Int> {
        removal(of: index, from: members.map { $0.start..<$0.value.range.upperBound })
    }

    /// Returns the bytes to remove with the element at an index, including its comma.
    package static func removal(of index: Int, from elements: [Node]) -> Range<Int> {
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
