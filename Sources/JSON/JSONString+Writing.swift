extension JSONString {
    /// Emits a string with its quotes; bytes that are not UTF-8 become U+FFFD.
    ///
    /// The bytes never become a `String`, whose memory could not be wiped.
    ///
    /// - Parameters:
    ///   - bytes: The string's UTF-8.
    ///   - isEscaped: Whether a scalar is written as `\\u` and digits, apart from quotation marks,
    ///     backslashes and line feeds; RFC 8259 §7 requires it for all below U+0020.
    ///   - emit: Receives every byte in order.
    package static func write(
        _ bytes: UnsafeRawBufferPointer,
        escaping isEscaped: (Unicode.Scalar) -> Bool = { $0.value < 0x20 },
        _ emit: (UInt8) -> Void
    ) {
        emit(UInt8(ascii: "\""))
        forEachScalar(of: bytes) { scalar in write(scalar ?? "\u{FFFD}", isEscaped, emit) }
        emit(UInt8(ascii: "\""))
    }

    /// Whether all bytes together are well-formed UTF-8.
    package static func isText(_ bytes: UnsafeRawBufferPointer) -> Bool {
        var isText = true
        forEachScalar(of: bytes) { scalar in if scalar == nil { isText = false } }
        return isText
    }

    /// Decodes without a `String`, whose memory could not be wiped; nil: malformed.
    private static func forEachScalar(
        of bytes: UnsafeRawBufferPointer,
        _ body: (Unicode.Scalar?) -> Void
    ) {
        var source = bytes.makeIterator()
        var decoder = UTF8()
        while true {
            switch decoder.decode(&source) {
            case .scalarValue(let scalar): body(scalar)
            case .error: body(nil)
            case .emptyInput: return
            }
        }
    }

    private static func write(
        _ scalar: Unicode.Scalar,
        _ isEscaped: (Unicode.Scalar) -> Bool,
        _ emit: (UInt8) -> Void
    ) {
        switch scalar {
        case "\"", "\\":
            emit(UInt8(ascii: "\\"))
            emit(UInt8(scalar.value))
        case "\n":
            emit(UInt8(ascii: "\\"))
            emit(UInt8(ascii: "n"))
        case _ where isEscaped(scalar):
            for unit in UTF16.encode(scalar) ?? .init() { emitUnit(unit, emit) }
        default:
            for byte in UTF8.encode(scalar) ?? .init() { emit(byte) }
        }
    }

    private static func emitUnit(_ unit: UInt16, _ emit: (UInt8) -> Void) {
        emit(UInt8(ascii: "\\"))
        emit(UInt8(ascii: "u"))
        for shift in [12, 8, 4, 0] as [UInt16] {
            let digit = UInt8(unit >> shift & 15)
            emit(digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "a") + digit - 10)
        }
    }
}
