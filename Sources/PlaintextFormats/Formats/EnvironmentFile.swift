import Secrets

/// `.env`: `NAME=value` lines in the syntax of dotenv tools and shells.
///
/// - Source: dotenv's own rules; Documentation/Spec/plaintext-formats.md §2.
enum EnvironmentFile {
    static func findings(_ view: ByteView) -> PlaintextFindings {
        var findings = PlaintextFindings()
        var index = 0
        while index < view.lines.count {
            let first = view.lines[index]
            let content = view.trimmed(first.content)
            index += 1
            guard let start = content.first, view[start] != UInt8(ascii: "#") else { continue }
            var end = first.whole.upperBound
            findings.add { () throws(PlaintextError) in
                try entry(content, from: first, to: &end, view)
            }
            while index < view.lines.count, view.lines[index].whole.lowerBound < end { index += 1 }
        }
        return findings
    }

    /// Returns the entry that begins on a line; nil for an empty value.
    ///
    /// Sets `end` to the end of the entry's lines, even if they are malformed.
    private static func entry(
        _ content: Range<Int>,
        from line: ByteView.Line,
        to end: inout Int,
        _ view: ByteView
    ) throws(PlaintextError) -> PlaintextEntry? {
        let (name, rest) = try assignment(content, line.number, view)
        let value = try value(rest, in: line, view, &end)
        guard let secret = value.secret, secret.secret.byteCount > 0 else { return nil }
        return PlaintextEntry(
            .service(nil, account: name),
            line: line.number,
            removal: [line.whole.lowerBound..<end],
            secret: secret,
            written: [value.written],
            seemsSecret: SecretName.seemsSecret(name: name, value: secret.secret),
            hindrance: value.hindrance ?? (isVariable(name) ? nil : noVariable)
        )
    }

    /// Returns the name before the equals sign, and the text after it.
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
        return (name, equals + 1..<content.upperBound)
    }

    private static let noVariable =
        "keychainctl env could not give it back: no variable of a program has such a name"

    /// Whether a name is valid for a variable (POSIX.1-2017, XBD §8.1).
    private static func isVariable(_ name: String) -> Bool {
        isName(name) && !name.contains(".") && !name.contains("-")
    }

    /// Whether a name has only letters, digits and underscores, or the dots and dashes that dotenv
    /// tools accept.
    private static func isName(_ name: String) -> Bool {
        guard let first = name.unicodeScalars.first, !("0"..."9").contains(first) else {
            return false
        }
        return name.unicodeScalars.allSatisfy { scalar in
            scalar.isASCII && (scalar.properties.isAlphabetic || ("0"..."9").contains(scalar))
                || scalar == "_" || scalar == "." || scalar == "-"
        }
    }
}

// Parsing of values.
extension EnvironmentFile {
    private struct Value {
        let secret: SharedSecret?
        let written: WrittenSecret
        var hindrance: String?
    }

    private static let expansion = "its value refers to another variable"

    private static let ambiguous =
        "shells and dotenv tools read such a value in different ways"

    private static func value(
        _ rest: Range<Int>,
        in line: ByteView.Line,
        _ view: ByteView,
        _ end: inout Int
    ) throws(PlaintextError) -> Value {
        let value = view.trimmed(rest)
        guard let start = value.first else {
            return Value(secret: nil, written: WrittenSecret(value))
        }
        let quote = view[start]
        guard quotes.contains(quote) else { return unquoted(value, in: rest, view) }
        let isEscaping = quote == UInt8(ascii: "\"")
        guard let close = closing(quote, from: start + 1, isEscaping: isEscaping, view) else {
            throw PlaintextError(line.number, "a quotation mark that is never closed")
        }
        let last = view.lines[view.lineNumber(at: close) - 1]
        end = last.whole.upperBound
        let tail = view.trimmed(close + 1..<max(close + 1, last.content.upperBound))
        guard tail.isEmpty || view[tail.lowerBound] == UInt8(ascii: "#") else {
            throw PlaintextError(last.number, "text after the closing quotation mark")
        }
        let inner = start + 1..<close
        let isOdd =
            quote == UInt8(ascii: "`") || inner.contains { view[$0] == ByteView.carriageReturn }
            || isEscaping && hasOddByte(inner, view)
        guard isEscaping else {
            return Value(
                secret: view.secret(inner),
                written: WrittenSecret(inner),
                hindrance: isOdd ? ambiguous : nil
            )
        }
        return Value(
            secret: view.secret(inner, .environment),
            written: WrittenSecret(inner, .environment),
            hindrance: refersToVariable(inner, view) ? expansion : isOdd ? ambiguous : nil
        )
    }

    private static let quotes = Set("\"'`".utf8)

    /// The bytes that a shell interprets in an unquoted value, and other tools do not.
    private static let special = quotes.union([SecretEncoding.backslash])

    /// Whether tools disagree about text between double quotes.
    ///
    /// They do about a backquote, and about a backslash before some letters.
    private static func hasOddByte(_ range: Range<Int>, _ view: ByteView) -> Bool {
        var index = range.lowerBound
        while index < range.upperBound {
            if view[index] == UInt8(ascii: "`") { return true }
            guard view[index] == SecretEncoding.backslash else {
                index += 1
                continue
            }
            let next = index + 1 < range.upperBound ? view[index + 1] : 0
            guard escapable.contains(next) || "nrt".utf8.contains(next) else { return true }
            index += 2
        }
        return false
    }

    /// Parses an unquoted value, which ends at the line's end, or at a blank and a number sign.
    ///
    /// A number sign directly after the equals sign belongs to the value, for the shell and for
    /// dotenv tools.
    private static func unquoted(
        _ value: Range<Int>,
        in rest: Range<Int>,
        _ view: ByteView
    ) -> Value {
        let comment = value.first { index in
            view[index] == UInt8(ascii: "#") && index > rest.lowerBound
                && view.isBlank(view[index - 1])
        }
        let inner = comment.map { view.trimmed(value.lowerBound..<$0) } ?? value
        let isOdd = inner.contains { special.contains(view[$0]) }
        return Value(
            secret: view.secret(inner),
            written: WrittenSecret(inner),
            hindrance: refersToVariable(inner, view) ? expansion : isOdd ? ambiguous : nil
        )
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
            index += isEscaping && view[index] == SecretEncoding.backslash ? 2 : 1
        }
        return nil
    }

    /// Whether a range refers to a variable: with `$NAME`, `${…}`, `$(…)` or a shell parameter such
    /// as `$1` or `$$`, unless an odd number of backslashes precedes it.
    private static func refersToVariable(_ range: Range<Int>, _ view: ByteView) -> Bool {
        range.dropLast().contains { index in
            guard view[index] == UInt8(ascii: "$") else { return false }
            let before = view.bytes[range.lowerBound..<index].reversed()
            let backslashes = before.prefix { $0 == SecretEncoding.backslash }.count
            return backslashes.isMultiple(of: 2) && isParameter(view[index + 1])
        }
    }

    private static func isParameter(_ byte: UInt8) -> Bool {
        UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte | 0x20
            || UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte || "_{($?!#*@-'\"".utf8.contains(byte)
    }

    /// The bytes that lose their backslash between double quotes.
    static let escapable = Set("\\\"$`".utf8)

    /// Whether the bytes have the value as their meaning between double quotes.
    static func means(_ written: borrowing Secret, _ secret: borrowing Secret) -> Bool {
        let head = Secret(concatenating: Secret(copying: "A=\"".utf8), written)
        let line = SharedSecret(Secret(concatenating: head, Secret(copying: "\"\n".utf8)))
        let found = try? line.secret.withUnsafeBytes { bytes throws(PlaintextError) in
            findings(try ByteView(bytes))
        }
        guard let entry = found?.entries.first, found?.entries.count == 1,
            found?.oddities.isEmpty ?? false, entry.hindrance == nil
        else { return false }
        return entry.secret.secret.constantTimeEquals(secret)
    }
}
