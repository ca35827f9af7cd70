import Secrets

/// `~/.cargo/credentials.toml`: the token of each registry.
///
/// A token becomes the variable that cargo reads, so that `keychainctl env cargo:crates-io -- cargo
/// …` makes it available to a cargo without credential providers.
/// - Source: The Cargo Book, Configuration, "Credentials"; TOML 1.0, "String".
enum CargoCredentialsFile {
    /// The settings of a registry, with the reason why one cannot move.
    private static let settings: [String: String?] = [
        "token": nil, "secret-key": "cargo signs with it, and cannot run a program for that",
    ]

    /// cargo's name for the registry of `[registry]`.
    private static let defaultRegistry = "crates-io"

    static func findings(_ view: ByteView) -> PlaintextFindings {
        let file = TOMLLines(view)
        var findings = PlaintextFindings()
        findings.oddities = file.oddities
        for row in file.rows {
            guard let entry = entry(row, view) else {
                findings.noteSecret(string(row.value, view) ?? row.value, row.line, view)
                continue
            }
            findings.entries.append(entry)
        }
        return findings
    }

    private static func entry(_ row: TOMLLines.Row, _ view: ByteView) -> PlaintextEntry? {
        var parts = row.path
        let head = parts.removeFirst()
        guard ["registry", "registries"].contains(head) else { return nil }
        let isTable = view.hasPrefix("{", row.value)
        let setting = isTable ? "token" : parts.popLast() ?? ""
        guard let hindrance = settings[setting] else { return nil }
        let isDefault = head == "registry"
        let registry = isDefault ? defaultRegistry : parts.joined(separator: ".")
        let isNamed = isDefault ? parts.isEmpty : parts.count == 1 && TOMLLines.isBareKey(registry)
        let string = isTable ? nil : string(row.value, view)
        return PlaintextEntry(
            .service("cargo:" + registry, account: variable(registry, setting, isDefault)),
            line: row.line,
            removal: [row.whole],
            secret: view.secret(string ?? row.value),
            written: [WrittenSecret(string ?? row.value)],
            hindrance: hindrance
                ?? (isNamed ? nil : "the name of its registry is not a plain word")
                ?? (string == nil ? "its value is not a plain string" : nil)
        )
    }

    /// Returns the variable's name, such as `CARGO_REGISTRIES_MY_COMPANY_TOKEN`.
    private static func variable(
        _ registry: String,
        _ setting: String,
        _ isDefault: Bool
    ) -> String {
        let words = isDefault ? ["registry", setting] : ["registries", registry, setting]
        return (["cargo"] + words).joined(separator: "_").replacing("-", with: "_").uppercased()
    }

    /// Returns the bytes between the quotes of a string on one line; nil if it has escapes, or if
    /// more than a comment follows it.
    private static func string(_ value: Range<Int>, _ view: ByteView) -> Range<Int>? {
        guard let start = value.first,
            view[start] == UInt8(ascii: "\"")
                || view[start] == UInt8(ascii: "'")
        else { return nil }
        let rest = start + 1..<value.upperBound
        guard let end = rest.first(where: { view[$0] == view[start] }) else { return nil }
        let behind = view.trimmed(end + 1..<value.upperBound)
        let content = start + 1..<end
        guard behind.isEmpty || view.hasPrefix("#", behind), !content.isEmpty,
            !content.contains(where: { view[$0] == SecretEncoding.backslash })
        else { return nil }
        return content
    }
}

/// The settings in a TOML file, with the full path of each key.
///
/// A string of several lines belongs to the row in which it begins.
/// - Source: TOML 1.0, "Keys", "Table" and "String".
struct TOMLLines {
    struct Row {
        /// The path of the table and the key, without quotation marks.
        let path: [String]
        /// The value, up to the end of its first line.
        let value: Range<Int>
        let whole: Range<Int>
        let line: Int
    }

    private(set) var rows: [Row] = []
    private(set) var oddities: [PlaintextError] = []

    init(_ view: ByteView) {
        var table: [String]? = []
        var index = 0
        while index < view.lines.count {
            let line = view.lines[index]
            let content = view.trimmed(line.content)
            index += 1
            guard let first = content.first, view[first] != UInt8(ascii: "#") else { continue }
            do throws(PlaintextError) {
                if view[first] == UInt8(ascii: "[") {
                    table = nil
                    table = try Self.table(content, line.number, view)
                    continue
                }
                let (key, value) = try Self.assignment(content, line.number, view)
                let last = Self.lastLine(of: value, from: index - 1, view)
                index = last + 1
                guard let table else {
                    throw PlaintextError(line.number, "a key in a table that makes no sense")
                }
                let whole = line.whole.lowerBound..<view.lines[last].whole.upperBound
                rows.append(
                    Row(path: table + key, value: value, whole: whole, line: line.number)
                )
            } catch {
                oddities.append(error)
            }
        }
    }

    private static func table(
        _ content: Range<Int>,
        _ line: Int,
        _ view: ByteView
    ) throws(PlaintextError) -> [String] {
        guard let close = first(UInt8(ascii: "]"), in: content.dropFirst(), view),
            let path = try path(content.lowerBound + 1..<close, view)
        else { throw PlaintextError(line, "a table that is not closed") }
        return path
    }

    private static func assignment(
        _ content: Range<Int>,
        _ line: Int,
        _ view: ByteView
    ) throws(PlaintextError) -> (key: [String], value: Range<Int>) {
        guard let equals = first(UInt8(ascii: "="), in: content, view),
            let key = try path(content.lowerBound..<equals, view)
        else { throw PlaintextError(line, "neither a comment nor key = value") }
        return (key, view.trimmed(equals + 1..<content.upperBound))
    }

    /// Returns the parts of a dotted key; nil if one of them is empty.
    private static func path(
        _ range: Range<Int>,
        _ view: ByteView
    ) throws(PlaintextError) -> [String]? {
        var parts: [String] = []
        var rest = range
        while true {
            let dot = first(UInt8(ascii: "."), in: rest, view)
            var part = view.trimmed(rest.lowerBound..<(dot ?? rest.upperBound))
            if part.count >= 2, let start = part.first, quotes.contains(view[start]) {
                part = part.dropFirst().dropLast()
            }
            guard !part.isEmpty else { return nil }
            parts.append(try view.text(part))
            guard let dot else { return parts }
            rest = dot + 1..<range.upperBound
        }
    }

    private static let quotes = Set("\"'".utf8)

    /// Returns the position of a byte's first occurrence outside of quotation marks.
    private static func first(_ byte: UInt8, in range: Range<Int>, _ view: ByteView) -> Int? {
        var quote: UInt8?
        for index in range {
            if let open = quote {
                if view[index] == open { quote = nil }
            } else if view[index] == byte {
                return index
            } else if quotes.contains(view[index]) {
                quote = view[index]
            }
        }
        return nil
    }

    /// Returns the index of the line on which a value ends.
    ///
    /// A string may have several lines.
    private static func lastLine(
        of value: Range<Int>,
        from index: Int,
        _ view: ByteView
    ) -> Int {
        guard let mark = ["\"\"\"", "'''"].first(where: { view.hasPrefix($0, value) }) else {
            return index
        }
        func closes(_ range: Range<Int>) -> Bool {
            range.contains { view.hasPrefix(mark, $0..<range.upperBound) }
        }
        if closes(value.dropFirst(mark.count)) { return index }
        let further = view.lines.indices.dropFirst(index + 1)
        return further.first { closes(view.lines[$0].content) } ?? view.lines.count - 1
    }

    /// Whether the name has only letters, digits, dashes and underscores.
    static func isBareKey(_ name: String) -> Bool {
        !name.isEmpty
            && name.utf8.allSatisfy { byte in
                let scalar = UnicodeScalar(byte)
                return ("a"..."z").contains(scalar) || ("A"..."Z").contains(scalar)
                    || ("0"..."9").contains(scalar) || scalar == "-" || scalar == "_"
            }
    }
}
