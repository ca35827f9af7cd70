/// A reader of a property list in XML.
///
/// A document type that declares entities is refused, so nothing is ever expanded.
/// - Source: Apple's PropertyList-1.0.dtd; Extensible Markup Language (XML) 1.0.
struct MarkupList {
    private typealias Damage = PropertyList.Damage

    private var rest: ArraySlice<UInt8>

    init(_ bytes: [UInt8]) {
        rest = bytes[...]
        if rest.starts(with: [0xEF, 0xBB, 0xBF]) { rest = rest.dropFirst(3) }
    }

    mutating func read() throws(PropertyList.Damage) -> PropertyList {
        try skip()
        var tag = try tag()
        let isWrapped = tag.name == "plist"
        if isWrapped {
            guard !tag.isEmpty else { throw Damage() }
            try skip()
            tag = try self.tag()
        }
        let value = try value(tag, depth: 1)
        if isWrapped { try end(of: "plist") }
        try skip()
        guard rest.isEmpty else { throw Damage() }
        return value
    }

    /// The content between `<` and `>`.
    private struct Tag {
        let name: String
        /// Whether it ends with `/>`.
        let isEmpty: Bool
    }

    /// Reads the value that a tag begins.
    private mutating func value(
        _ tag: Tag,
        depth: Int
    ) throws(PropertyList.Damage) -> PropertyList {
        guard depth <= PropertyList.depthLimit else { throw Damage() }
        switch tag.name {
        case "dict": return .entries(tag.isEmpty ? [:] : try entries(depth))
        case "array": return .list(tag.isEmpty ? [] : try values(depth))
        case "string": return .text(tag.isEmpty ? "" : try text(until: "string"))
        case "true", "false", "integer", "real", "date", "data":
            if !tag.isEmpty { _ = try text(until: tag.name) }
            return .other
        default: throw Damage()
        }
    }

    /// Reads the entries of a dictionary; the last value of a key counts, as in Foundation.
    private mutating func entries(
        _ depth: Int
    ) throws(PropertyList.Damage) -> [String: PropertyList] {
        var entries: [String: PropertyList] = [:]
        while try !isAtEnd(of: "dict") {
            let tag = try tag()
            guard tag.name == "key", !tag.isEmpty else { throw Damage() }
            let key = try text(until: "key")
            try skip()
            entries[key] = try value(try self.tag(), depth: depth + 1)
        }
        return entries
    }

    private mutating func values(_ depth: Int) throws(PropertyList.Damage) -> [PropertyList] {
        var values: [PropertyList] = []
        while try !isAtEnd(of: "array") { values.append(try value(try tag(), depth: depth + 1)) }
        return values
    }
}

// Characters and tags.
extension MarkupList {
    /// Consumes these characters if they are next.
    private mutating func take(_ signs: StaticString) -> Bool {
        let found = signs.withUTF8Buffer { rest.starts(with: $0) }
        if found { rest = rest.dropFirst(signs.utf8CodeUnitCount) }
        return found
    }

    private static func isSpace(_ byte: UInt8) -> Bool {
        byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D
    }

    /// Consumes everything up to and including these characters.
    private mutating func through(_ signs: StaticString) throws(PropertyList.Damage) {
        while !take(signs) { guard rest.popFirst() != nil else { throw Damage() } }
    }

    /// Skips spaces, comments, instructions and the document type.
    private mutating func skip() throws(PropertyList.Damage) {
        while true {
            rest = rest.drop(while: Self.isSpace)
            if take("<!--") {
                try through("-->")
            } else if take("<?") {
                try through("?>")
            } else if take("<!DOCTYPE") {
                while let byte = rest.popFirst(), byte != UInt8(ascii: ">") {
                    guard byte != UInt8(ascii: "[") else { throw Damage() }
                }
            } else {
                return
            }
        }
    }

    /// Reads an opening tag.
    private mutating func tag() throws(PropertyList.Damage) -> Tag {
        guard take("<") else { throw Damage() }
        let name = rest.prefix { $0 &- UInt8(ascii: "a") < 26 }
        rest = rest.dropFirst(name.count)
        let hasSpace = rest.first.map(Self.isSpace) ?? false
        let attributes = rest.prefix { $0 != UInt8(ascii: ">") && $0 != UInt8(ascii: "<") }
        rest = rest.dropFirst(attributes.count)
        let isEmpty = attributes.last == UInt8(ascii: "/")
        guard take(">"), hasSpace || attributes.count == (isEmpty ? 1 : 0) else { throw Damage() }
        return Tag(name: String(decoding: name, as: UTF8.self), isEmpty: isEmpty)
    }

    /// Consumes the closing tag if it is next.
    private mutating func isAtEnd(of name: String) throws(PropertyList.Damage) -> Bool {
        try skip()
        return try takeEnd(of: name)
    }

    private mutating func takeEnd(of name: String) throws(PropertyList.Damage) -> Bool {
        guard take("</") else { return false }
        guard rest.starts(with: name.utf8) else { throw Damage() }
        rest = rest.dropFirst(name.utf8.count).drop(while: Self.isSpace)
        guard take(">") else { throw Damage() }
        return true
    }

    private mutating func end(of name: String) throws(PropertyList.Damage) {
        guard try isAtEnd(of: name) else { throw Damage() }
    }

    /// Reads text and its closing tag.
    private mutating func text(until name: String) throws(PropertyList.Damage) -> String {
        var bytes: [UInt8] = []
        while let byte = rest.first {
            if byte == UInt8(ascii: "&") {
                bytes += try reference()
            } else if byte != UInt8(ascii: "<") {
                bytes.append(byte)
                rest = rest.dropFirst()
            } else if take("<![CDATA[") {
                let start = rest
                try through("]]>")
                bytes += start[..<(rest.startIndex - 3)]
            } else {
                guard try takeEnd(of: name),
                    let text = String(validating: bytes, as: UTF8.self)
                else { throw Damage() }
                return text
            }
        }
        throw Damage()
    }

    /// Reads `&name;` or `&#number;`.
    private mutating func reference() throws(PropertyList.Damage) -> [UInt8] {
        let named: [(StaticString, Unicode.Scalar)] = [
            ("&amp;", "&"), ("&lt;", "<"), ("&gt;", ">"), ("&apos;", "'"), ("&quot;", "\""),
        ]
        for (signs, scalar) in named where take(signs) { return Array(String(scalar).utf8) }
        guard take("&#") else { throw Damage() }
        let radix = take("x") ? 16 : 10
        let digits = rest.prefix { $0 != UInt8(ascii: ";") && $0 != UInt8(ascii: "<") }
        rest = rest.dropFirst(digits.count)
        let word = String(decoding: digits.prefix(9), as: UTF8.self)
        guard take(";"), digits.count < 9, !word.hasPrefix("+"),
            let scalar = UInt32(word, radix: radix).flatMap(Unicode.Scalar.init)
        else { throw Damage() }
        return Array(String(scalar).utf8)
    }
}
