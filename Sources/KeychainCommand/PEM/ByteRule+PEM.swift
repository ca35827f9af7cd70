import PlaintextFormats

extension ByteRule {
    /// A PEM block: lines of 64 characters between the lines that name it (RFC 7468 §3).
    static func pem(_ label: String) -> ByteRule {
        ByteRule { bytes, emit in
            for byte in "-----BEGIN \(label)-----\n".utf8 { emit(byte) }
            for start in stride(from: 0, to: bytes.count, by: lineByteCount) {
                let line = bytes[start..<min(start + lineByteCount, bytes.count)]
                for group in stride(from: line.startIndex, to: line.endIndex, by: 3) {
                    Base64.encode(line[group..<min(group + 3, line.endIndex)], emit)
                }
                emit(UInt8(ascii: "\n"))
            }
            for byte in "-----END \(label)-----\n".utf8 { emit(byte) }
        }
    }

    /// Bytes of a line of 64 characters.
    private static let lineByteCount = 48
}
