/// One element: its tag, its content and the whole of its encoding.
struct DERElement<Bytes> {
    let tag: UInt8
    let content: Bytes
    let encoding: Bytes
}

/// A strict reader of DER elements from the front of bytes (X.690 §10.1).
///
/// Lengths are definite and as short as possible; tags have one octet. The bytes can be those of an
/// array or, for private keys, of a `Secret` that is lent for one call: nothing is copied.
struct DERReader<Bytes: RandomAccessCollection>
where Bytes.Element == UInt8, Bytes.Index == Int, Bytes.SubSequence == Bytes {
    /// The bytes that have not been read yet.
    private(set) var rest: Bytes

    /// Starts at the first byte.
    init(_ bytes: Bytes) {
        rest = bytes
    }

    /// Whether every byte has been read.
    var isAtEnd: Bool { rest.isEmpty }

    /// The tag of the next element, or `nil` at the end.
    var nextTag: UInt8? { rest.first }

    /// Reads the next element, with any tag.
    ///
    /// - Throws: `invalidInput` at the end, when truncated, or when not DER.
    mutating func readElement() throws(CryptographyError) -> DERElement<Bytes> {
        var cursor = rest
        guard let tag = cursor.popFirst(), tag & 0x1F != 0x1F else { throw .malformedDER }
        let byteCount = try Self.takeLength(from: &cursor)
        guard byteCount <= cursor.count else { throw .malformedDER }
        let content = cursor.prefix(byteCount)
        let encoding = rest[rest.startIndex..<content.endIndex]
        rest = cursor.dropFirst(byteCount)
        return DERElement(tag: tag, content: content, encoding: encoding)
    }

    /// Reads the content of the next element, which must have the tag.
    ///
    /// - Throws: `invalidInput` for any other element.
    mutating func read(_ tag: UInt8) throws(CryptographyError) -> Bytes {
        let element = try readElement()
        guard element.tag == tag else { throw .malformedDER }
        return element.content
    }

    /// Reads the content of the next element if it has the tag; nil for another tag.
    ///
    /// - Throws: `invalidInput` if it has the tag but is not DER.
    mutating func readIfPresent(_ tag: UInt8) throws(CryptographyError) -> Bytes? {
        guard nextTag == tag else { return nil }
        return try read(tag)
    }

    /// Reads the next element, which must have the tag, and continues inside it.
    ///
    /// - Throws: `invalidInput` for any other element.
    mutating func enter(_ tag: UInt8) throws(CryptographyError) -> DERReader {
        DERReader(try read(tag))
    }

    /// Reads an INTEGER that is not negative.
    ///
    /// - Returns: Its magnitude without a leading zero; one zero byte for zero.
    /// - Throws: `invalidInput` if it is negative or longer than need be.
    mutating func readUnsignedInteger() throws(CryptographyError) -> Bytes {
        let content = try read(DERTag.integer)
        guard let first = content.first, first < 0x80 else { throw .malformedDER }
        guard first == 0, content.count > 1 else { return content }
        let magnitude = content.dropFirst()
        guard let second = magnitude.first, second >= 0x80 else { throw .malformedDER }
        return magnitude
    }

    /// Reads an INTEGER that must equal the number given, at most 127.
    ///
    /// - Throws: `invalidInput` for another number.
    mutating func readVersion(_ number: UInt8) throws(CryptographyError) {
        guard try readUnsignedInteger().elementsEqual([number]) else { throw .malformedDER }
    }

    /// Reads a BIT STRING that consists of whole bytes.
    ///
    /// - Throws: `invalidInput` if bits are left over.
    mutating func readWholeBitString() throws(CryptographyError) -> Bytes {
        var content = try read(DERTag.bitString)
        guard content.popFirst() == 0 else { throw .malformedDER }
        return content
    }

    /// Verifies that no bytes follow.
    ///
    /// - Throws: `invalidInput` if some do.
    func finish() throws(CryptographyError) {
        guard isAtEnd else { throw .malformedDER }
    }

    private static func takeLength(from cursor: inout Bytes) throws(CryptographyError) -> Int {
        guard let first = cursor.popFirst() else { throw .malformedDER }
        guard first >= 0x80 else { return Int(first) }
        let digitCount = Int(first & 0x7F)
        guard (1...4).contains(digitCount), digitCount <= cursor.count else { throw .malformedDER }
        let digits = cursor.prefix(digitCount)
        cursor = cursor.dropFirst(digitCount)
        let length = digits.reduce(0) { $0 << 8 | Int($1) }
        guard digits.first != 0, length >= 0x80 else { throw .malformedDER }
        return length
    }
}

extension CryptographyError {
    /// The one error of the DER reader.
    static let malformedDER = CryptographyError.invalidInput("unexpected DER")
}
