/// A writer of SSH protocol values in sequence; none of them is secret.
///
///     var writer = SSHWriter()
///     writer.string("ssh-ed25519")
///     // writer.bytes: 00 00 00 0b 73 73 68 …
/// - Source: RFC 4251 §5.
package struct SSHWriter {
    package private(set) var bytes: [UInt8]

    package init(_ bytes: [UInt8] = []) { self.bytes = bytes }

    package mutating func byte(_ byte: UInt8) { bytes.append(byte) }

    package mutating func boolean(_ value: Bool) { bytes.append(value ? 1 : 0) }

    package mutating func uint32(_ number: UInt32) {
        withUnsafeBytes(of: number.bigEndian) { bytes += $0 }
    }

    package mutating func uint64(_ number: UInt64) {
        withUnsafeBytes(of: number.bigEndian) { bytes += $0 }
    }

    package mutating func string(_ contents: some Collection<UInt8>) {
        uint32(UInt32(contents.count))
        bytes += contents
    }

    package mutating func string(_ text: String) { string(text.utf8) }

    /// Writes a nonnegative integer.
    package mutating func integer(_ digits: some Collection<UInt8>) {
        let digits = digits.drop { $0 == 0 }
        let isHigh = digits.first.map { $0 >= 0x80 } ?? false
        uint32(UInt32(digits.count + (isHigh ? 1 : 0)))
        if isHigh { byte(0) }
        bytes += digits
    }

    /// Returns the bytes that `body` writes.
    package static func bytes(_ body: (inout SSHWriter) -> Void) -> [UInt8] {
        var writer = SSHWriter()
        body(&writer)
        return writer.bytes
    }
}
