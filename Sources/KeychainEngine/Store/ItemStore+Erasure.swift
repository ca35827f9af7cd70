import KeychainModel

// The mark of a factory reset under way: a metadata key of class 0, which no item can have.
//
// Source: Documentation/Spec/store.md §2.
extension ItemStore {
    /// Whether a factory reset was begun and not finished.
    package var isErasing: Bool {
        get throws(StoreError) {
            try connection.number("SELECT COUNT(*) FROM metadata_keys WHERE class = 0") > 0
        }
    }

    /// Begins a factory reset; `removeEverything` ends it.
    package borrowing func markErasure() throws(StoreError) {
        let text = "INSERT OR IGNORE INTO metadata_keys (class, wrapped) VALUES (0, x'')"
        try statement(text).run(on: connection)
    }
}
