import Secrets

/// `~/.pgpass`: `hostname:port:database:username:password` on each line.
///
/// - Source: PostgreSQL, libpq, The Password File.
enum PgpassFile {
    static func entries(_ view: ByteView) throws(PlaintextError) -> [PlaintextEntry] {
        var entries: [PlaintextEntry] = []
        for line in view.lines {
            let isComment = line.content.first.map { view[$0] == UInt8(ascii: "#") } ?? true
            guard !isComment, !view.trimmed(line.content).isEmpty else { continue }
            entries.append(try entry(line, view))
        }
        return entries
    }

    private static func entry(
        _ line: ByteView.Line,
        _ view: ByteView
    ) throws(PlaintextError) -> PlaintextEntry {
        var fields: [String] = []
        var start = line.content.lowerBound
        while fields.count < 4 {
            guard let end = separator(from: start, line, view) else {
                throw PlaintextError(line.number, "not five fields separated by colons")
            }
            fields.append(try field(start..<end, line, view))
            start = end + 1
        }
        let port = fields[1] == "*" ? nil : UInt16(fields[1])
        guard fields[1] == "*" || port != nil else {
            throw PlaintextError(line.number, "the second field is not a port")
        }
        let place = ServerPlace(
            server: fields[0],
            protocolName: ProtocolName.letters(ofScheme: "postgres"),
            port: port,
            path: fields[2] == "*" ? "" : "/" + fields[2],
            account: fields[3]
        )
        let isForAll = fields[0] == "*" || fields[3] == "*"
        return PlaintextEntry(
            .server(place),
            line: line.number,
            removal: [line.whole],
            secret: view.secret(start..<line.content.upperBound, rule: unescape),
            written: WrittenSecret(start..<line.content.upperBound, .colonFields),
            hindrance: isForAll ? "it is for every server or every user" : nil
        )
    }

    private static func separator(
        from start: Int,
        _ line: ByteView.Line,
        _ view: ByteView
    ) -> Int? {
        var index = start
        while index < line.content.upperBound {
            if view[index] == UInt8(ascii: ":") { return index }
            index += view[index] == UInt8(ascii: "\\") ? 2 : 1
        }
        return nil
    }

    private static func field(
        _ range: Range<Int>,
        _ line: ByteView.Line,
        _ view: ByteView
    ) throws(PlaintextError) -> String {
        var bytes: [UInt8] = []
        unescape(view.bytes[range]) { bytes.append($0) }
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw PlaintextError(line.number, "a name that is not UTF-8")
        }
        return text
    }

    /// A backslash stands for the byte behind it.
    @Sendable private static func unescape(
        _ bytes: Slice<UnsafeRawBufferPointer>,
        _ emit: (UInt8) -> Void
    ) {
        var rest = bytes
        while let byte = rest.popFirst() {
            emit(byte == UInt8(ascii: "\\") ? rest.popFirst() ?? byte : byte)
        }
    }
}
