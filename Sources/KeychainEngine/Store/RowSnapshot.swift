import KeychainModel

/// The database as it was at one moment, for work that goes on while others write.
///
/// It has a connection of its own, whose transaction ends with it. For one call at a time.
final class RowSnapshot {
    let reader: ReaderPool.Reader

    /// Begins at this moment, with a connection that nobody else uses.
    init(_ reader: ReaderPool.Reader) throws(KeychainError) {
        self.reader = reader
        try reader.store.beginReading()
        // A transaction sees the database as it is at its first read.
        _ = try reader.store.keySet()
    }

    deinit { reader.store.rollBack() }
}
