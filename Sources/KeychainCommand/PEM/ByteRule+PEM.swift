import PlaintextFormats

extension ByteRule {
    /// A PEM block: lines of 64 characters between the lines that name it (RFC 7468 §3).
    static func pem(_ label: String) -> ByteRule {
        ByteRule { bytes, emit in
            for byte in "-----BEGIN \(label)-----\n".utf8 { emit(byte) }
            Base64.encodeLines(bytes, emit)
            for byte in "-----END \(label)-----\n".utf8 { emit(byte) }
        }
    }
}
