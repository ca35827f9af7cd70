import Secrets

/// `~/.pgpass`: `hostname:port:database:username:password` on each line.
///
/// - Source: PostgreSQL, libpq, The Password File; libpq, `passwordFromFile`.
enum PgpassFile {
    static func findings(_ view: ByteView) -> PlaintextFindings {
        var findings = PlaintextFindings()
        for line in view.lines {
            let isComment = line.content.first.map { view[$0] == UInt8(ascii: "#") } ?? true
            guard !isComment, !view.trimmed(line.content).isEmpty else { continue }
            findings.add { () throws(PlaintextError) in try entry(line, view) }
        }
        return findings
    }

    private static func entry(
        _ line: ByteView.Line,
        _ view: ByteView
    ) throws(PlaintextError) -> PlaintextEntry? {
        var fields: [String] = []
        var start = line.content.lowerBound
        while fields.count < 4 {
            guard let end = separator(from: start, line, view) else {
                throw PlaintextError(line.number, "not five fields separated by colons")
            }
            fields.append(try view.text(start..<end, .colonFields))
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
        let password = start..<line.content.upperBound
        guard !password.isEmpty else { return nil }
        let isForAll = fields[0] == "*" || fields[3] == "*"
        let isCut = separator(from: start, line, view) != nil
        return PlaintextEntry(
            .server(place),
            line: line.number,
            removal: [line.whole],
            secret: view.secret(password, .colonFields) ?? view.secret(password),
            written: [WrittenSecret(password, .colonFields)],
            hindrance: isForAll
                ? "it is for every server or every user"
                : isCut ? "PostgreSQL reads its password only up to the colon in it" : nil
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
            index += view[index] == SecretEncoding.backslash ? 2 : 1
        }
        return nil
    }
}
