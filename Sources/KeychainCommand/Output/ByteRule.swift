import Secrets

/// A way to encode bytes as text.
///
/// A rule stores nothing. It runs once to count and once to fill, so the encoded form of a secret
/// is only ever in memory that is wiped.
struct ByteRule: Sendable {
    /// Passes every byte of the encoded form to the last argument, in order.
    let write: @Sendable (UnsafeRawBufferPointer, (UInt8) -> Void) -> Void

    /// Returns bytes in encoded form, in ordinary memory.
    func text(of bytes: [UInt8]) -> String {
        var written: [UInt8] = []
        bytes.withUnsafeBytes { source in write(source) { byte in written.append(byte) } }
        return String(decoding: written, as: UTF8.self)
    }

    /// Returns a secret in encoded form, in memory that is wiped.
    func secret(of secret: borrowing Secret) -> Secret {
        secret.withUnsafeBytes { source in
            var byteCount = 0
            write(source) { _ in byteCount += 1 }
            return Secret(byteCount: byteCount) { target in
                var position = 0
                write(source) { byte in
                    target[position] = byte
                    position += 1
                }
            }
        }
    }
}

// The forms of macOS's `security` command.
extension ByteRule {
    /// The bytes unchanged if all are printable ASCII, otherwise in lower-case hexadecimal.
    static let plain = ByteRule { bytes, emit in
        if bytes.allSatisfy(isPrintable) {
            for byte in bytes { emit(byte) }
        } else {
            for byte in bytes { emitHex(byte, lowerDigits, emit) }
        }
    }

    /// The bytes in quotation marks if all are printable ASCII other than a backslash.
    ///
    /// Otherwise `0x`, hexadecimal digits and a space. If some bytes are printable, a second space
    /// follows, and the bytes in quotation marks with octal escapes. No bytes give an empty text.
    /// Two passwords never look alike.
    /// - Source: Apple's SecurityTool, print_buffer.
    static let dump = ByteRule { bytes, emit in
        if !bytes.allSatisfy(isPlain) {
            for byte in "0x".utf8 { emit(byte) }
            for byte in bytes { emitHex(byte, upperDigits, emit) }
            emit(UInt8(ascii: " "))
            if bytes.contains(where: isPlain) { emit(UInt8(ascii: " ")) }
        }
        if bytes.contains(where: isPlain) { emitQuoted(bytes, emit) }
    }

    /// Two lower-case hexadecimal digits for each byte.
    static let hex = ByteRule { bytes, emit in
        for byte in bytes { emitHex(byte, lowerDigits, emit) }
    }

    private static let lowerDigits = Array("0123456789abcdef".utf8)
    private static let upperDigits = Array("0123456789ABCDEF".utf8)

    private static func isPrintable(_ byte: UInt8) -> Bool { (0x20...0x7E).contains(byte) }

    private static func emitHex(_ byte: UInt8, _ digits: [UInt8], _ emit: (UInt8) -> Void) {
        emit(digits[Int(byte >> 4)])
        emit(digits[Int(byte & 15)])
    }

    /// Whether a byte needs no escape in quotation marks.
    private static func isPlain(_ byte: UInt8) -> Bool {
        isPrintable(byte) && byte != UInt8(ascii: "\\")
    }

    private static func emitQuoted(_ bytes: UnsafeRawBufferPointer, _ emit: (UInt8) -> Void) {
        emit(UInt8(ascii: "\""))
        for byte in bytes {
            guard !isPlain(byte) else {
                emit(byte)
                continue
            }
            emit(UInt8(ascii: "\\"))
            for shift in [6, 3, 0] { emit(UInt8(ascii: "0") + (byte >> UInt8(shift)) & 7) }
        }
        emit(UInt8(ascii: "\""))
    }
}
