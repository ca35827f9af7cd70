import KeychainModel

// Checks that the database contains the keychain's tables and nothing else. An attacker who can
// write the file needs no key to plant a trigger that keeps deleted values, or a view that swallows
// writes.
//
// Source: Documentation/Spec/store.md §2, "Schema"; requirement LCK-11.
extension StoreSchema {
    /// The entries of each version's schema, computed once.
    private static let entries: [Set<SchemaEntry>] = migrations.indices.map {
        SchemaEntry.made(by: migrations[...$0].flatMap(\.self))
    }

    /// Compares every entry of the schema with the result of the first `version` steps.
    ///
    /// - Throws: `foreignSchema` with a sentence about the first difference in the order of names.
    static func check(
        _ connection: borrowing SQLiteConnection,
        version: Int
    ) throws(KeychainError) {
        guard let difference = try differences(in: connection, version: version).first else {
            return
        }
        throw .store(.foreignSchema(path: connection.path, difference: difference))
    }

    /// Returns one sentence for each difference from the first `version` steps, in the order of
    /// names.
    static func differences(
        in connection: borrowing SQLiteConnection,
        version: Int
    ) throws(KeychainError) -> [String] {
        let expected = entries.indices.contains(version - 1) ? entries[version - 1] : []
        let found = try schema(of: connection)
        guard found.count != expected.count || Set(found) != expected else { return [] }
        var seen: Set<SchemaEntry> = []
        let strange = found.filter { !expected.contains($0) || !seen.insert($0).inserted }
        let strangeNames = Set(strange.map(\.name))
        let ownNames = Set(expected.map(\.name))
        let missing = expected.filter { !seen.contains($0) && !strangeNames.contains($0.name) }
        let sentences = strange.map { entry in
            let isOurs = ownNames.contains(entry.name)
            let whose = isOurs ? "differs from the keychain's" : "does not belong to the keychain"
            return (entry.name, "the \(entry.title) \(whose)")
        }
        return (sentences + missing.map { ($0.name, "the \($0.title) is missing") })
            .sorted { $0 < $1 }.map(\.1)
    }

    private static func schema(
        of connection: borrowing SQLiteConnection
    ) throws(KeychainError) -> [SchemaEntry] {
        let text = "SELECT type, name, tbl_name, sql FROM sqlite_schema"
        let statement = try connection.prepare(text)
        var found: [SchemaEntry] = []
        while try statement.step(on: connection) {
            found.append(
                SchemaEntry(
                    kind: statement.text(at: 0) ?? "",
                    name: statement.text(at: 1) ?? "",
                    table: statement.text(at: 2) ?? "",
                    text: statement.text(at: 3)
                )
            )
        }
        return found
    }
}
