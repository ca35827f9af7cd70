/// Reads big-endian fields one after the other, and throws `damaged` if bytes are missing or wrong.
package struct FieldReader<Bytes: RandomAccessCollection<UInt8>> where Bytes.SubSequence == Bytes {
    package private(set) var rest: Bytes
    private let subject: String

    /// Starts at the first byte; `subject` describes the bytes in errors.
    package init(_ bytes: Bytes, of subject: String) {
        rest = bytes
        self.subject = subject
    }

    /// Makes an error about the subject.
    package func damaged(_ reason: String) -> SyncError { .damaged("\(subject): \(reason)") }

    /// Takes the next bytes.
    package mutating func slice(_ count: Int) throws(SyncError) -> Bytes {
        guard count >= 0, rest.count >= count else { throw damaged("it ends too early") }
        defer { rest = rest.dropFirst(count) }
        return rest.prefix(count)
    }

    /// Takes the next bytes.
    package mutating func bytes(_ count: Int) throws(SyncError) -> [UInt8] {
        Array(try slice(count))
    }

    /// Takes the next integer.
    package mutating func integer<I: FixedWidthInteger & UnsignedInteger>(
        _ type: I.Type
    ) throws(SyncError) -> I {
        try slice(I.bitWidth / 8).reduce(0) { value, byte in value << 8 | I(byte) }
    }

    /// Takes a byte that is 0 or 1.
    package mutating func flag() throws(SyncError) -> Bool {
        let byte = try integer(UInt8.self)
        guard byte <= 1 else { throw damaged("a mark is neither 0 nor 1") }
        return byte == 1
    }

    /// Takes a name.
    package mutating func name<N: SyncName>(_ type: N.Type) throws(SyncError) -> N {
        N(unchecked: try bytes(N.byteCount))
    }

    /// Takes a count of 2 or 4 bytes, then that many bytes.
    package mutating func counted<I: FixedWidthInteger & UnsignedInteger>(
        _ type: I.Type
    ) throws(SyncError) -> Bytes {
        let count = try integer(type)
        guard count <= UInt64(Int32.max) else { throw damaged("a count is too large") }
        return try slice(Int(count))
    }

    /// Takes a count of 2 bytes, then text of at most 255 bytes.
    package mutating func text() throws(SyncError) -> String {
        let bytes = try counted(UInt16.self)
        guard bytes.count <= DeviceName.byteCountLimit,
            let text = String(validating: bytes, as: UTF8.self)
        else { throw damaged("a name is no text") }
        return text
    }

    /// Takes bytes, and throws `damaged` unless they are the expected ones.
    package mutating func expect(_ expected: [UInt8], _ reason: String) throws(SyncError) {
        guard try slice(expected.count).elementsEqual(expected) else { throw damaged(reason) }
    }

    /// Checks that only zeros are left.
    package func finishFilled() throws(SyncError) {
        guard rest.allSatisfy({ $0 == 0 }) else { throw damaged("it has bytes after its end") }
    }

    /// Checks that nothing is left.
    package func finish() throws(SyncError) {
        guard rest.isEmpty else { throw damaged("it has bytes after its end") }
    }
}

/// The name that people give a device.
package enum DeviceName {
    /// The most bytes of a name in UTF-8.
    package static let byteCountLimit = 255

    /// Shortens a name to the limit.
    package static func fitting(_ name: String) -> String {
        var name = name
        while name.utf8.count > byteCountLimit { name.removeLast() }
        return name
    }
}
