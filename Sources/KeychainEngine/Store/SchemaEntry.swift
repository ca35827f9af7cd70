/// One row of SQLite's own table `sqlite_schema`: a table, an index, or a planted object.
struct SchemaEntry: Hashable {
    /// `table`, `index`, `view` or `trigger`.
    let kind: String
    let name: String
    /// The table that an index or a trigger belongs to; for a table, its own name.
    let table: String
    /// The SQL text, as SQLite stores it; nil for the index of a constraint.
    let text: String?
}

// Computes the content of `sqlite_schema` from the text of the migrations. Running them at every
// opening would cost more than the rest of the opening. A test compares the result with SQLite's.
extension SchemaEntry {
    /// Returns the entries after these statements, which create only tables and indexes.
    static func made(by statements: [String]) -> Set<SchemaEntry> {
        var entries: Set<SchemaEntry> = []
        for statement in statements {
            entries.formUnion(made(by: statement))
            if let widened = widened(by: statement, entries) {
                entries.remove(widened.before)
                entries.insert(widened.after)
            }
        }
        return entries
    }

    /// Returns a table's entry before and after a statement that adds a column.
    ///
    /// SQLite inserts the column into the table's text, before the last parenthesis.
    private static func widened(
        by statement: String,
        _ entries: Set<SchemaEntry>
    ) -> (before: SchemaEntry, after: SchemaEntry)? {
        let words = statement.split(maxSplits: 5, whereSeparator: \.isWhitespace).map(String.init)
        guard words.count == 6, words[0] == "ALTER", words[3] == "ADD",
            let table = entries.first(where: { $0.kind == "table" && $0.name == words[2] }),
            let text = table.text, let end = text.lastIndex(of: ")")
        else { return nil }
        let widened = text[..<end] + ", " + words[5] + text[end...]
        return (table, SchemaEntry(kind: "table", table.name, of: table.name, String(widened)))
    }

    private static func made(by statement: String) -> [SchemaEntry] {
        let words = statement.split(maxSplits: 5, whereSeparator: \.isWhitespace).map(String.init)
        guard words.count > 4, words[0] == "CREATE" else { return [] }
        guard words[1] == "TABLE" else {
            return [SchemaEntry(kind: words[1].lowercased(), words[2], of: words[4], statement)]
        }
        let name = words[2]
        let table = SchemaEntry(kind: "table", name, of: name, statement)
        return [table] + uniqueIndexes(of: name, statement) + rowCounter(statement)
    }

    /// Returns the indexes that SQLite creates for the `UNIQUE` constraints of a table.
    private static func uniqueIndexes(of table: String, _ statement: String) -> [SchemaEntry] {
        let parts = statement.split(separator: " UNIQUE", omittingEmptySubsequences: false)
        return parts.indices.dropFirst().map { number in
            SchemaEntry(kind: "index", "sqlite_autoindex_\(table)_\(number)", of: table, nil)
        }
    }

    /// Returns the table in which SQLite counts rows for `AUTOINCREMENT`.
    private static func rowCounter(_ statement: String) -> [SchemaEntry] {
        guard statement.contains(" AUTOINCREMENT") else { return [] }
        let name = "sqlite_sequence"
        let text = "CREATE TABLE sqlite_sequence(name,seq)"
        return [SchemaEntry(kind: "table", name, of: name, text)]
    }

    private init(kind: String, _ name: String, of table: String, _ text: String?) {
        self.init(kind: kind, name: name, table: table, text: text)
    }
}

extension SchemaEntry {
    /// The kind and name of the entry, safe to print on a terminal.
    var title: String {
        let kinds = ["table", "index", "view", "trigger"]
        let shown = name.unicodeScalars.prefix(64).map { scalar in
            (0x20..<0x7F).contains(scalar.value) && scalar != "`" ? String(scalar) : "?"
        }
        return "\(kinds.contains(kind) ? kind : "part") `\(shown.joined())`"
    }
}
