import Secrets

/// A reader of SSH protocol values from the front of bytes that it does not copy.
///
/// A reader is valid while the bytes exist. It returns possible secrets only as `Secret`.
/// - Source: RFC 4251 §5.
package struct SSHReader {
    /// The greatest size of an integer: an RSA modulus of 8192 bits, and a byte for the sign.
    private static let integerByteCountLimit = 1025

    private(set) var rest: Slice<UnsafeRawBufferPointer>

    package init(_ bytes: UnsafeRawBufferPointer) { rest = bytes[...] }

    package init(_ bytes: Slice<UnsafeRawBufferPointer>) { rest = bytes }

    package var isAtEnd: Bool { rest.isEmpty }

    /// Throws unless all bytes were read.
    package func finish() throws(SSHFormatError) {
        guard rest.isEmpty else { throw .malformed }
    }

    package mutating func byte() throws(SSHFormatError) -> UInt8 {
        guard let byte = rest.first else { throw .malformed }
        rest = rest.dropFirst()
        return byte
    }

    /// Reads a boolean; every byte but 0 is true.
    package mutating func boolean() throws(SSHFormatError) -> Bool { try byte() != 0 }

    package mutating func uint32() throws(SSHFormatError) -> UInt32 {
        var number: UInt32 = 0
        for _ in 0..<4 { number = number << 8 | UInt32(try byte()) }
        return number
    }

    package mutating func uint64() throws(SSHFormatError) -> UInt64 {
        UInt64(try uint32()) << 32 | UInt64(try uint32())
    }

    /// Reads the content of a string.
    package mutating func string() throws(SSHFormatError) -> Slice<UnsafeRawBufferPointer> {
        let count = Int(try uint32())
        guard count <= rest.count else { throw .malformed }
        defer { rest = rest.dropFirst(count) }
        return rest.prefix(count)
    }

    /// Reads the content of a string that is not secret.
    package mutating func bytes() throws(SSHFormatError) -> [UInt8] { [UInt8](try string()) }

    /// Reads a string as text; invalid UTF-8 becomes replacement characters.
    package mutating func text(atMost limit: Int = .max) throws(SSHFormatError) -> String {
        String(decoding: try string().prefix(limit), as: UTF8.self)
    }

    /// Reads a name, which is printable ASCII of at most 64 characters.
    package mutating func name() throws(SSHFormatError) -> String {
        let string = try string()
        guard string.count <= 64, string.allSatisfy({ (0x21...0x7E).contains($0) }) else {
            throw .malformed
        }
        return String(decoding: string, as: UTF8.self)
    }

    /// Reads the content of a string that may be secret.
    package mutating func secret() throws(SSHFormatError) -> Secret {
        let string = try string()
        return Secret(copying: UnsafeRawBufferPointer(rebasing: string))
    }

    /// Reads the digits of a nonnegative integer, without a leading zero.
    package mutating func integer() throws(SSHFormatError) -> Slice<UnsafeRawBufferPointer> {
        let digits = try string()
        guard digits.count <= Self.integerByteCountLimit else { throw .malformed }
        guard let first = digits.first else { return digits }
        if first == 0 {
            guard let next = digits.dropFirst().first, next >= 0x80 else { throw .malformed }
            return digits.dropFirst()
        }
        guard first < 0x80 else { throw .malformed }
        return digits
    }

    /// Reads the digits of a nonnegative integer as a secret.
    package mutating func secretInteger() throws(SSHFormatError) -> Secret {
        let digits = try integer()
        return Secret(copying: UnsafeRawBufferPointer(rebasing: digits))
    }
}

extension SSHReader {
    /// Parses bytes that are not secret; fails if `body` leaves any.
    package static func read<Value>(
        _ bytes: [UInt8],
        _ body: (inout SSHReader) throws(SSHFormatError) -> Value
    ) throws(SSHFormatError) -> Value {
        try bytes.withUnsafeBufferPointer { buffer throws(SSHFormatError) in
            var reader = SSHReader(UnsafeRawBufferPointer(buffer))
            let value = try body(&reader)
            try reader.finish()
            return value
        }
    }
}
