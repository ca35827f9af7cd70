/// The numbers of JSON (RFC 8259 §6).
enum JSONNumber {
    /// Whether the bytes are one number and nothing else.
    static func isOne(_ bytes: Slice<UnsafeRawBufferPointer>) -> Bool {
        var rest = bytes
        _ = take("-", from: &rest)
        let leadingZero = rest.first == UInt8(ascii: "0")
        let integerCount = digits(of: &rest)
        guard integerCount == 1 || integerCount > 1 && !leadingZero else { return false }
        if take(".", from: &rest), digits(of: &rest) == 0 { return false }
        if take("e", from: &rest) || take("E", from: &rest) {
            if !take("+", from: &rest) { _ = take("-", from: &rest) }
            guard digits(of: &rest) > 0 else { return false }
        }
        return rest.isEmpty
    }

    /// Passes over digits and counts them.
    private static func digits(of rest: inout Slice<UnsafeRawBufferPointer>) -> Int {
        let all = rest.prefix { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
        rest = rest.dropFirst(all.count)
        return all.count
    }

    private static func take(
        _ letter: Character,
        from rest: inout Slice<UnsafeRawBufferPointer>
    ) -> Bool {
        guard rest.first == letter.asciiValue else { return false }
        rest = rest.dropFirst()
        return true
    }
}
