import Secrets

/// The encoding of a secret's bytes in a format.
package enum SecretEncoding: String, Codable, Sendable, CaseIterable {
    /// The bytes unchanged.
    case plain
    /// Percent-encoded, as in a URL (RFC 3986).
    case percent
    /// A backslash before each colon and backslash, as in `.pgpass`.
    case colonFields
    case base64
    /// The content of a JSON string (RFC 8259).
    case json
    /// The content of a quoted CSV field (RFC 4180).
    case csv
    /// The content of double quotes in an environment file.
    case environment
    /// The content of double quotes in a netrc file.
    case netrc
    /// An unquoted value in `.npmrc`, in which a semicolon or number sign begins a comment.
    case ini

    /// Encodes a secret in the standard form of the encoding.
    ///
    /// - Parameters:
    ///   - secret: The bytes to encode.
    ///   - prefix: Text to encode together with it, before it, such as `user:`.
    /// - Returns: The encoded bytes.
    package func encode(_ secret: borrowing Secret, prefix: String = "") -> Secret {
        guard prefix.isEmpty else {
            return encode(Secret(concatenating: Secret(copying: prefix.utf8), secret))
        }
        return secret.withUnsafeBytes { bytes in
            Secret(emitting: { emit in write(bytes, emit) })
        }
    }

    func write(_ bytes: UnsafeRawBufferPointer, _ emit: (UInt8) -> Void) {
        switch self {
        case .plain: bytes.forEach(emit)
        case .base64:
            for start in stride(from: 0, to: bytes.count, by: 3) {
                Base64.encode(bytes[start..<min(start + 3, bytes.count)], emit)
            }
        case .percent: bytes.forEach { Self.percent($0, emit) }
        case .csv: bytes.forEach { Self.escape($0, UInt8(ascii: "\""), Set("\"".utf8), emit) }
        case .colonFields: bytes.forEach { Self.escape($0, Self.backslash, Set(":\\".utf8), emit) }
        case .ini: bytes.forEach { Self.escape($0, Self.backslash, Self.iniSpecial, emit) }
        case .environment: bytes.forEach { Self.quoted($0, EnvironmentFile.escapable, emit) }
        case .netrc: bytes.forEach { Self.quoted($0, Set("\"\\".utf8), emit) }
        case .json: bytes.forEach { Self.json($0, emit) }
        }
    }

    static let backslash = UInt8(ascii: "\\")
    /// The bytes that a backslash makes literal in `.npmrc`.
    static let iniSpecial = Set(";#\\".utf8)
    private static let letters: [UInt8: Character] = [0x0A: "n", 0x0D: "r", 0x09: "t"]
    static let digits = Array("0123456789ABCDEF".utf8)
    private static let unreserved = Set(
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._~".utf8
    )

    private static func escape(
        _ byte: UInt8,
        _ mark: UInt8,
        _ special: Set<UInt8>,
        _ emit: (UInt8) -> Void
    ) {
        if special.contains(byte) { emit(mark) }
        emit(byte)
    }

    /// Writes a byte with its escape; line feed, return and tab have letters.
    private static func quoted(_ byte: UInt8, _ special: Set<UInt8>, _ emit: (UInt8) -> Void) {
        guard let letter = letters[byte]?.asciiValue else {
            return escape(byte, backslash, special, emit)
        }
        emit(backslash)
        emit(letter)
    }

    private static func percent(_ byte: UInt8, _ emit: (UInt8) -> Void) {
        guard !unreserved.contains(byte) else { return emit(byte) }
        emit(UInt8(ascii: "%"))
        hexadecimal(byte, emit)
    }

    private static func json(_ byte: UInt8, _ emit: (UInt8) -> Void) {
        guard byte < 0x20, letters[byte] == nil else {
            return quoted(byte, Set("\"\\".utf8), emit)
        }
        "\\u00".utf8.forEach(emit)
        hexadecimal(byte, emit)
    }

    private static func hexadecimal(_ byte: UInt8, _ emit: (UInt8) -> Void) {
        emit(digits[Int(byte >> 4)])
        emit(digits[Int(byte & 0xF)])
    }
}

/// The position and encoding of a secret in a file.
package struct WrittenSecret: Sendable {
    /// The encoded secret in the file, and nothing else.
    let range: Range<Int>
    let encoding: SecretEncoding
    /// Text that is encoded together with it, before it; not secret.
    var prefix = ""
    /// The differences between the file's form and the standard form.
    var spelling: SecretSpelling = []

    init(_ range: Range<Int>, _ encoding: SecretEncoding = .plain, prefix: String = "") {
        self.range = range
        self.encoding = encoding
        self.prefix = prefix
    }
}

extension Secret {
    /// Makes a secret of the bytes that a function emits.
    ///
    /// The function runs twice, to count and to write.
    init(emitting write: ((UInt8) -> Void) -> Void) {
        var count = 0
        write { _ in count += 1 }
        self.init(byteCount: count) { target in
            var position = 0
            write { byte in
                target[position] = byte
                position += 1
            }
        }
    }
}
