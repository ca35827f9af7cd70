import Secrets

// ★ Table: the exports that are known, by the columns that their header names.

/// A CSV export of a password manager or browser.
///
/// - Source: RFC 4180; the header lines of Chrome, Firefox, 1Password and Bitwarden.
enum PasswordTable {
    /// What a program calls its columns, in lower case.
    struct Dialect: Sendable {
        let program: String
        /// Columns that tell it from the others; all are there.
        let mark: [String]
        var title = "name"
        var url = "url"
        var username = "username"
        var password = "password"
        var notes = "notes"
        var realm = ""
        /// Columns that an internet password has no place for, and what they hold.
        var lost: [String: String] = [:]
        /// Such as `form`, where the program keeps nothing else.
        var authenticationType: String?
    }

    private static let dialects: [Dialect] = [
        Dialect(
            program: "Bitwarden",
            mark: ["login_uri", "login_username", "login_password"],
            url: "login_uri",
            username: "login_username",
            password: "login_password",
            lost: ["login_totp": "a one-time password", "fields": "custom fields"]
        ),
        Dialect(
            program: "Firefox",
            mark: ["url", "username", "password", "httprealm", "formactionorigin"],
            title: "",
            notes: "",
            realm: "httprealm"
        ),
        Dialect(
            program: "1Password",
            mark: ["title", "url", "username", "password"],
            title: "title",
            lost: ["otpauth": "a one-time password"]
        ),
        Dialect(
            program: "Chrome",
            mark: ["name", "url", "username", "password"],
            notes: "note",
            authenticationType: "form"
        ),
    ]

    static func entries(_ view: ByteView) throws(PlaintextError) -> [PlaintextEntry] {
        var records = try CSVRecords(view).records
        guard !records.isEmpty else { throw PlaintextError(1, "no header") }
        let header = try records.removeFirst().fields.map { field throws(PlaintextError) in
            try text(field, view).lowercased()
        }
        let known = dialects.first { $0.mark.allSatisfy(header.contains) }
        guard let known else {
            let names = dialects.map(\.program).joined(separator: ", ")
            throw PlaintextError(1, "a header that is not one of \(names)")
        }
        var entries: [PlaintextEntry] = []
        for record in records {
            guard record.fields.count == header.count else {
                throw PlaintextError(record.line, "not as many fields as the header")
            }
            let columns = Dictionary(zip(header, record.fields)) { first, _ in first }
            if let entry = try entry(record, columns, known, view) { entries.append(entry) }
        }
        return entries
    }

    private static func entry(
        _ record: CSVRecords.Record,
        _ columns: [String: CSVRecords.Field],
        _ dialect: Dialect,
        _ view: ByteView
    ) throws(PlaintextError) -> PlaintextEntry? {
        guard let field = columns[dialect.password] else { return nil }
        let password = secret(field, view)
        guard !password.isEmpty else { return nil }
        func text(_ column: String) throws(PlaintextError) -> String {
            try columns[column].map { field throws(PlaintextError) in
                try Self.text(field, view)
            } ?? ""
        }
        let title = try text(dialect.title)
        let login = ExportedLogin(
            url: try text(dialect.url),
            username: try text(dialect.username),
            title: title,
            realm: try text(dialect.realm),
            authenticationType: dialect.authenticationType
        )
        let notes = columns[dialect.notes]
        let remark = notes.map { secret($0, view) }.flatMap { $0.isEmpty ? nil : $0 }
        let lost = dialect.lost.first { columns[$0.key].map { !secret($0, view).isEmpty } ?? false }
        return PlaintextEntry(
            login.place,
            line: record.line,
            removal: [record.whole],
            secret: password,
            written: field.written,
            title: title.isEmpty ? nil : title,
            remark: remark,
            writtenRemark: remark.flatMap { _ in notes?.written },
            hindrance: lost.map { "it has \($0.value) as well" } ?? login.hindrance
        )
    }

    private static func text(
        _ field: CSVRecords.Field,
        _ view: ByteView
    ) throws(PlaintextError) -> String {
        let bytes = secret(field, view)
        guard let text = bytes.secret.withUnsafeBytes({ String(validating: $0, as: UTF8.self) })
        else {
            throw PlaintextError(view.lineNumber(at: field.range.lowerBound), "other than UTF-8")
        }
        return text
    }

    /// A doubled quotation mark in quotes stands for one.
    private static func secret(_ field: CSVRecords.Field, _ view: ByteView) -> SharedSecret {
        guard field.isQuoted else { return view.secret(field.range) }
        let quote = UInt8(ascii: "\"")
        return view.secret(field.range) { bytes, emit in
            var rest = bytes
            while let byte = rest.popFirst() {
                emit(byte)
                if byte == quote, rest.first == quote { rest = rest.dropFirst() }
            }
        }
    }
}

/// The records of a CSV file, by their places.
struct CSVRecords {
    struct Field {
        /// Without the quotation marks around it.
        let range: Range<Int>
        let isQuoted: Bool

        var written: WrittenSecret { WrittenSecret(range, isQuoted ? .csv : .plain) }
    }

    struct Record {
        let line: Int
        /// With the end of its line.
        let whole: Range<Int>
        let fields: [Field]
    }

    private let view: ByteView
    private var position = 0
    private(set) var records: [Record] = []

    /// - Throws: `PlaintextError` for a quotation mark that is not closed, or followed by more.
    init(_ view: ByteView) throws(PlaintextError) {
        self.view = view
        if view.hasPrefix("\u{FEFF}", 0..<view.bytes.count) { position = 3 }
        while position < view.bytes.count {
            let start = position
            let fields = try record()
            let isBlank = fields.count == 1 && fields[0].range.isEmpty && !fields[0].isQuoted
            guard !isBlank else { continue }
            records.append(
                Record(line: view.lineNumber(at: start), whole: start..<position, fields: fields)
            )
        }
    }

    private mutating func record() throws(PlaintextError) -> [Field] {
        var fields: [Field] = []
        while true {
            fields.append(try field())
            guard position < view.bytes.count else { return fields }
            let byte = view[position]
            position += 1
            if byte == UInt8(ascii: ",") { continue }
            if byte == ByteView.carriageReturn, position < view.bytes.count,
                view[position] == ByteView.newline
            {
                position += 1
            }
            return fields
        }
    }

    private mutating func field() throws(PlaintextError) -> Field {
        let quote = UInt8(ascii: "\"")
        let start = position
        guard position < view.bytes.count, view[position] == quote else {
            while position < view.bytes.count, !isEnd(view[position]) { position += 1 }
            return Field(range: start..<position, isQuoted: false)
        }
        position += 1
        while position < view.bytes.count {
            guard view[position] == quote else {
                position += 1
                continue
            }
            let isDoubled = position + 1 < view.bytes.count && view[position + 1] == quote
            if isDoubled {
                position += 2
                continue
            }
            let field = Field(range: start + 1..<position, isQuoted: true)
            position += 1
            guard position == view.bytes.count || isEnd(view[position]) else {
                throw PlaintextError(
                    view.lineNumber(at: position),
                    "text after a closing quotation mark"
                )
            }
            return field
        }
        throw PlaintextError(view.lineNumber(at: start), "a quotation mark that is never closed")
    }

    private func isEnd(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: ",") || byte == ByteView.newline || byte == ByteView.carriageReturn
    }
}
