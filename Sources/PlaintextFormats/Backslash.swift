/// Escapes between double quotes: a backslash followed by a letter.
enum Backslash {
    /// Decodes escapes: emits line feed, return and tab for their letters.
    ///
    /// - Parameters:
    ///   - bytes: The bytes between the quotes.
    ///   - emit: Receives every unescaped byte, and those three control characters.
    ///   - other: Receives any other byte after a backslash.
    static func unescape(
        _ bytes: Slice<UnsafeRawBufferPointer>,
        _ emit: (UInt8) -> Void,
        other: (UInt8) -> Void
    ) {
        var rest = bytes
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "\\"), let next = rest.popFirst() else {
                emit(byte)
                continue
            }
            switch next {
            case UInt8(ascii: "n"): emit(UInt8(ascii: "\n"))
            case UInt8(ascii: "r"): emit(UInt8(ascii: "\r"))
            case UInt8(ascii: "t"): emit(UInt8(ascii: "\t"))
            default: other(next)
            }
        }
    }
}
