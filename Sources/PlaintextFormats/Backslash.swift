/// Escapes between double quotes: a backslash and a letter.
enum Backslash {
    /// Hands on what stands there: line feed, return and tab for their letters.
    ///
    /// - Parameters:
    ///   - bytes: What is between the quotes.
    ///   - emit: Takes every byte that is not escaped, and the three that have letters.
    ///   - other: Takes any other byte that stands behind a backslash.
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
