import KeychainModel

// The mark of a factory reset in progress: a row among the metadata keys. Its class belongs to no
// item and its key is a sentence, so that no damaged row looks like it.
//
// Source: Documentation/Spec/store.md §2.
extension ItemStore {
    private static let sentence = Array("A factory reset was begun: finish it now".utf8)

    /// Whether a factory reset has begun and is not finished.
    package borrowing func isErasing() throws(KeychainError) -> Bool {
        let text = "SELECT COUNT(*) FROM metadata_keys WHERE class = 0 AND wrapped = ?"
        let statement = try statement(text)
        defer { statement.reset() }
        try statement.bind(Self.sentence, on: connection)
        return try statement.step(on: connection) && statement.number(at: 0) > 0
    }

    /// Begins a factory reset; `removeEverything` ends it.
    package borrowing func markErasure() throws(KeychainError) {
        let text = "INSERT OR REPLACE INTO metadata_keys (class, wrapped) VALUES (0, ?)"
        let statement = try statement(text)
        try statement.bind(Self.sentence, on: connection)
        try statement.run(on: connection)
        try connection.requireChange()
    }
}
