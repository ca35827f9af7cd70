import KeychainModel

/// The name of an account or a path: text, or other bytes, as git takes them.
package struct ItemName: Sendable, Hashable, ExpressibleByStringLiteral {
    package let bytes: [UInt8]

    package init(_ bytes: [UInt8]) { self.bytes = bytes }

    package init(_ text: String) { bytes = Array(text.utf8) }

    package init(stringLiteral text: String) { self.init(text) }

    /// The name that an item has as an attribute; empty where it has none.
    init(_ value: AttributeValue?) {
        switch value {
        case .string(let text)?: self.init(text)
        case .data(let bytes)?: self.init(bytes)
        default: self.init([])
        }
    }

    package var isEmpty: Bool { bytes.isEmpty }

    /// The attribute of an item: text wherever it is some.
    package var value: AttributeValue {
        String(validating: bytes, as: UTF8.self).map(AttributeValue.string) ?? .data(bytes)
    }

    /// The name for people and for URLs; of other than UTF-8, every odd byte is percent-encoded.
    package var text: String {
        if let text = String(validating: bytes, as: UTF8.self) { return text }
        return bytes.map { byte in
            let digits = String(byte, radix: 16, uppercase: true)
            let isPlain = byte < 0x80 && byte >= 0x20
            return isPlain
                ? String(UnicodeScalar(byte)) : "%" + (byte < 16 ? "0" : "") + digits
        }
        .joined()
    }

    /// The same without the slashes at its ends.
    package var withoutOuterSlashes: ItemName {
        let slash = UInt8(ascii: "/")
        var rest = bytes[...].drop { $0 == slash }
        while rest.last == slash { rest.removeLast() }
        return ItemName(Array(rest))
    }
}
