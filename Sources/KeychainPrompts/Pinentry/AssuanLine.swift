import Secrets

/// The meaning of one line of an Assuan server.
///
/// - Source: the Assuan manual, "Server responses": at most 1000 bytes, the newline included.
enum AssuanReply: Sendable, Equatable {
    /// The greeting, or the success of a command.
    case done
    /// The failure of a command, with libgpg-error's code, whose low 16 bits are the reason.
    case failed(UInt32)
    /// A part of the answer.
    case data
    /// A status or a comment.
    case information
    /// A question of the server.
    case inquiry
    /// Not a line of the protocol.
    case malformed
}

extension AssuanReply {
    /// The largest line in bytes, without the newline.
    static let lineByteCountLimit = 999

    private static let words: [(word: String, reply: AssuanReply)] = [
        ("OK", .done), ("D", .data), ("S", .information), ("INQUIRE", .inquiry),
    ]

    /// Reads a line without its newline.
    init(_ line: UnsafeRawBufferPointer) {
        if line.first == UInt8(ascii: "#") {
            self = .information
            return
        }
        let word = line.prefix { $0 != UInt8(ascii: " ") }
        if let row = Self.words.first(where: { word.elementsEqual($0.word.utf8) }) {
            self = row.reply
        } else if word.elementsEqual("ERR".utf8) {
            self = Self.failure(line.dropFirst(word.count + 1))
        } else {
            self = .malformed
        }
    }

    private static func failure(_ rest: Slice<UnsafeRawBufferPointer>) -> AssuanReply {
        let digits = rest.prefix { $0 != UInt8(ascii: " ") }
        return UInt32(String(decoding: digits, as: UTF8.self)).map(AssuanReply.failed)
            ?? .malformed
    }
}

/// Assuan's encoding of bytes that a line cannot contain: `%` and two hexadecimal digits.
enum AssuanEscape {
    private static let escaped: Set<UInt8> = [
        UInt8(ascii: "%"), UInt8(ascii: "\r"), UInt8(ascii: "\n"), 0,
    ]

    /// Returns a text as the argument of a command.
    static func escaping(_ text: String) -> String {
        var line: [UInt8] = []
        for byte in text.utf8 {
            line += escaped.contains(byte) ? Array("%".utf8) + hexadecimal(byte) : [byte]
        }
        return String(decoding: line, as: UTF8.self)
    }

    private static func hexadecimal(_ byte: UInt8) -> [UInt8] {
        let digits = Array("0123456789ABCDEF".utf8)
        return [digits[Int(byte >> 4)], digits[Int(byte & 15)]]
    }

    /// Returns the bytes of a data line without its `D `; nil for an invalid escape.
    static func bytes(ofDataLine line: UnsafeRawBufferPointer) -> Secret? {
        var count = 0
        var isWhole = true
        let all = Secret(byteCount: line.count) { target in
            var rest = line.dropFirst(2)
            while isWhole, let byte = rest.popFirst() {
                if byte == UInt8(ascii: "%") {
                    let high = rest.popFirst().flatMap(digit)
                    let low = rest.popFirst().flatMap(digit)
                    isWhole = high != nil && low != nil
                    target[count] = (high ?? 0) << 4 | (low ?? 0)
                } else {
                    target[count] = byte
                }
                count += 1
            }
        }
        guard isWhole else { return nil }
        return all.withUnsafeBytes { bytes in
            Secret(copying: UnsafeRawBufferPointer(rebasing: bytes.prefix(count)))
        }
    }

    private static func digit(_ byte: UInt8) -> UInt8? {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
        default: nil
        }
    }
}
