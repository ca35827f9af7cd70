import KeychainModel

extension ByteRule {
    /// A JSON string with its quotes; bytes that are not UTF-8 become U+FFFD.
    ///
    /// Beyond what RFC 8259 §7 demands, everything that could act on a terminal is escaped.
    static let json = ByteRule { bytes, emit in
        emit(UInt8(ascii: "\""))
        forEachScalar(of: bytes) { scalar in emitJSON(scalar ?? "\u{FFFD}", emit) }
        emit(UInt8(ascii: "\""))
    }

    /// Whether all bytes together are well-formed UTF-8.
    static func isText(_ bytes: UnsafeRawBufferPointer) -> Bool {
        var isText = true
        forEachScalar(of: bytes) { scalar in if scalar == nil { isText = false } }
        return isText
    }

    /// Decodes without making a string, of which nobody could wipe the memory; nil: malformed.
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

    private static func emitJSON(_ scalar: Unicode.Scalar, _ emit: (UInt8) -> Void) {
        switch scalar {
        case "\"", "\\":
            emit(UInt8(ascii: "\\"))
            emit(UInt8(scalar.value))
        case "\n":
            emit(UInt8(ascii: "\\"))
            emit(UInt8(ascii: "n"))
        case _ where VisibleText.isHidden(scalar):
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
