import Secrets

/// `.env`: `NAME=value` lines as dotenv tools and shells read them.
///
/// - Source: dotenv's own rules; Documentation/Spec/plaintext-formats.md §2.
enum EnvironmentFile {
    static func entries(_ view: ByteView) throws(PlaintextError) -> [PlaintextEntry] {
        var entries: [PlaintextEntry] = []
        var index = 0
        while index < view.lines.count {
            let first = view.lines[index]
            let content = view.trimmed(first.content)
            index += 1
            guard let start = content.first, view[start] != UInt8(ascii: "#") else { continue }
            let (name, rest) = try assignment(content, first.number, view)
            let value = try value(rest, in: first, view)
            while index < view.lines.count, view.lines[index].whole.lowerBound < value.end {
                index += 1
            }
            let whole = first.whole.lowerBound..<view.lines[index - 1].whole.upperBound
            guard let secret = value.secret, secret.secret.byteCount > 0 else { continue }
            entries.append(
                PlaintextEntry(
                    .service(nil, account: name),
                    line: first.number,
                    removal: [whole],
                    secret: secret,
                    written: value.written,
                    seemsSecret: SecretName.seemsSecret(name: name, value: secret.secret),
                    hindrance: value.hindrance
                )
            )
        }
        return entries
    }

    /// The name in front of the equals sign, and what follows it.
    private static func assignment(
        _ content: Range<Int>,
        _ line: Int,
        _ view: ByteView
    ) throws(PlaintextError) -> (name: String, rest: Range<Int>) {
        guard let equals = view.first("=", in: content) else {
            throw PlaintextError(line, "neither a comment nor NAME=value")
        }
        var range = view.trimmed(content.lowerBound..<equals)
        if view.hasPrefix("export ", range) || view.hasPrefix("export\t", range) {
            range = view.trimmed(range.dropFirst("export ".count))
        }
        let name = try view.text(range)
        guard isName(name) else {
            throw PlaintextError(line, "no name before the equals sign")
        }
        return (name, view.trimmed(equals + 1..<content.upperBound))
    }

    /// Letters, digits and underscores; dots and dashes, too, as dotenv tools take them.
    private static func isName(_ name: String) -> Bool {
        guard let first = name.unicodeScalars.first, !("0"..."9").contains(first) else {
            return false
        }
        return name.unicodeScalars.allSatisfy { scalar in
            scalar.isASCII && (scalar.properties.isAlphabetic || ("0"..."9").contains(scalar))
                || scalar == "_" || scalar == "." || scalar == "-"
        }
    }

    private struct Value {
        let secret: SharedSecret?
        let written: WrittenSecret
        /// Behind its last byte.
        let end: Int
        var hindrance: String?
    }

    private static let expansion = "its value refers to another variable"

    private static func value(
        _ rest: Range<Int>,
        in line: ByteView.Line,
        _ view: ByteView
    ) throws(PlaintextError) -> Value {
        guard let start = rest.first else {
            return Value(secret: nil, written: WrittenSecret(rest), end: rest.upperBound)
        }
        let quote = view[start]
        guard
            quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") || quote == UInt8(ascii: "`")
        else { return unquoted(rest, view) }
        let isEscaping = quote == UInt8(ascii: "\"")
        guard let end = closing(quote, from: start + 1, isEscaping: isEscaping, view) else {
            throw PlaintextError(line.number, "a quotation mark that is never closed")
        }
        try refuseTail(after: end, view)
        let inner = start + 1..<end
        guard isEscaping else {
            return Value(secret: view.secret(inner), written: WrittenSecret(inner), end: end + 1)
        }
        let literals = EnvironmentSpelling.literals(in: view.bytes[inner])
        let written = WrittenSecret(inner, .environment, literals: literals)
        let secret = view.secret(inner, rule: unescape)
        var value = Value(secret: secret, written: written, end: end + 1)
        if refersToVariable(inner, view) { value.hindrance = expansion }
        return value
    }

    /// Ends at the end of the line or at a blank and a number sign.
    private static func unquoted(_ rest: Range<Int>, _ view: ByteView) -> Value {
        let comment = rest.dropFirst().first {
            view[$0] == UInt8(ascii: "#") && view.isBlank(view[$0 - 1])
        }
        let isComment = view[rest.lowerBound] == UInt8(ascii: "#")
        let inner = view.trimmed(
            rest.lowerBound..<(isComment ? rest.lowerBound : comment ?? rest.upperBound)
        )
        let secret = view.secret(inner)
        var value = Value(secret: secret, written: WrittenSecret(inner), end: rest.upperBound)
        if refersToVariable(inner, view) { value.hindrance = expansion }
        return value
    }

    private static func closing(
        _ quote: UInt8,
        from start: Int,
        isEscaping: Bool,
        _ view: ByteView
    ) -> Int? {
        var index = start
        while index < view.bytes.count {
            if view[index] == quote { return index }
            index += isEscaping && view[index] == UInt8(ascii: "\\") ? 2 : 1
        }
        return nil
    }

    /// Behind a closing quotation mark is nothing but a comment.
    private static func refuseTail(
        after end: Int,
        _ view: ByteView
    ) throws(PlaintextError) {
        let line = view.lines[view.lineNumber(at: end) - 1]
        let tail = view.trimmed(end + 1..<max(end + 1, line.content.upperBound))
        guard let first = tail.first, view[first] != UInt8(ascii: "#") else { return }
        throw PlaintextError(line.number, "text after the closing quotation mark")
    }

    /// Whether `$NAME` or `${…}` stands in a range, unless behind a backslash.
    private static func refersToVariable(_ range: Range<Int>, _ view: ByteView) -> Bool {
        range.dropLast().contains { index in
            guard view[index] == UInt8(ascii: "$") else { return false }
            let isEscaped = index > range.lowerBound && view[index - 1] == UInt8(ascii: "\\")
            let next = view[index + 1]
            let isName =
                next == UInt8(ascii: "{") || next == UInt8(ascii: "(")
                || next == UInt8(ascii: "_") || UInt8(ascii: "a")...UInt8(ascii: "z") ~= next | 0x20
            return !isEscaped && isName
        }
    }

    /// What loses its backslash between double quotes.
    static let escapable = Set("\\\"$`".utf8)

    @Sendable private static func unescape(
        _ bytes: Slice<UnsafeRawBufferPointer>,
        _ emit: (UInt8) -> Void
    ) {
        Backslash.unescape(bytes, emit) { next in
            if !Self.escapable.contains(next) { emit(UInt8(ascii: "\\")) }
            emit(next)
        }
    }
}
