import KeychainModel

/// The database as it was at one moment, for work that continues while others write.
///
/// It has a connection of its own, whose transaction ends with it. One call at a time may use it.
final class RowSnapshot {
    let reader: ReaderPool.Reader

    /// Takes a snapshot now, with a connection that nothing else uses.
    init(_ reader: ReaderPool.Reader) throws(KeychainError) {
        self.reader = reader
        try reader.store.beginReading()
        // A transaction sees the database as of its first read.
        _ = try reader.store.keySet()
    }

    deinit { reader.store.rollBack() }
}
