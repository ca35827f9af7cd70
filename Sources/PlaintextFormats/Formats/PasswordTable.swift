import Secrets

/// A CSV export of a password manager or browser.
///
/// - Source: RFC 4180; the headers in `ExportDialect`.
enum PasswordTable {
    static func findings(_ view: ByteView) throws(PlaintextError) -> PlaintextFindings {
        let file = CSVRecords(view)
        guard let head = file.records.first else {
            throw file.oddities.first ?? PlaintextError(1, "no header")
        }
        if let odd = file.oddities.first, odd.line < head.line { throw odd }
        let header = try head.fields.map { field throws(PlaintextError) in
            try view.text(field.range, field.encoding).lowercased()
        }
        guard let dialect = ExportDialect.of(header) else {
            let names = ExportDialect.all.map(\.program).joined(separator: ", ")
            throw PlaintextError(head.line, "a header that is none of \(names)")
        }
        var findings = PlaintextFindings()
        findings.oddities = file.oddities
        for record in file.records.dropFirst() {
            findings.add { () throws(PlaintextError) in
                guard !isHeader(record, header, view) else {
                    throw PlaintextError(record.line, "the header a second time")
                }
                return try entry(record, header, dialect, view)
            }
        }
        return findings
    }

    /// Whether a record says the names of the columns, as where two exports were joined.
    private static func isHeader(
        _ record: CSVRecords.Record,
        _ header: [String],
        _ view: ByteView
    ) -> Bool {
        record.fields.count == header.count
            && zip(record.fields, header).allSatisfy { field, name in
                (try? view.text(field.range, field.encoding).lowercased()) == name
            }
    }

    private static func entry(
        _ record: CSVRecords.Record,
        _ header: [String],
        _ dialect: ExportDialect,
        _ view: ByteView
    ) throws(PlaintextError) -> PlaintextEntry? {
        guard record.fields.count == header.count else {
            throw PlaintextError(record.line, "not as many fields as the header")
        }
        var login = ExportedLogin()
        login.authenticationType = dialect.authenticationType
        var password: CSVRecords.Field?
        var notes: CSVRecords.Field?
        for (name, field) in zip(header, record.fields) {
            guard !field.range.isEmpty, let column = dialect.columns[name] else { continue }
            switch column {
            case .password: password = field
            case .notes: notes = field
            default: try column.take(try view.text(field.range, field.encoding), into: &login)
            }
        }
        try finish(&login, header, record, view, dialect)
        guard let password, let secret = view.secret(password.range, password.encoding) else {
            guard notes != nil || !login.lost.isEmpty else { return nil }
            throw PlaintextError(record.line, "an entry without a password that has other content")
        }
        return PlaintextEntry(
            login.place,
            line: record.line,
            removal: [record.whole],
            secret: secret,
            written: [password.written],
            title: login.title.isEmpty ? nil : login.title,
            remark: notes.flatMap { view.secret($0.range, $0.encoding) },
            writtenRemark: notes?.written,
            appendix: login.appendix,
            hindrance: login.hindrance
        )
    }

    /// Checks content that depends on several columns.
    private static func finish(
        _ login: inout ExportedLogin,
        _ header: [String],
        _ record: CSVRecords.Record,
        _ view: ByteView,
        _ dialect: ExportDialect
    ) throws(PlaintextError) {
        for (name, field) in zip(header, record.fields) where !field.range.isEmpty {
            let text = { () throws(PlaintextError) in try view.text(field.range, field.encoding) }
            switch dialect.columns[name] {
            case .sameAddress(let label):
                let address = try text()
                if !isSame(address, login.url) { login.add(label, address) }
            case .otherUser(let label):
                if login.username.isEmpty {
                    login.username = try text()
                } else {
                    login.add(label, try text())
                }
            default: continue
            }
        }
    }

    /// Whether two addresses belong to one server.
    private static func isSame(_ one: String, _ other: String) -> Bool {
        guard let one = LocatorURL(one), let other = LocatorURL(other) else { return one == other }
        return one.scheme == other.scheme && one.host == other.host && one.port == other.port
    }
}
