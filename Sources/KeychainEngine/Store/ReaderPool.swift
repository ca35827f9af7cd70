import KeychainModel
import Secrets

/// Connections for searches: each search in progress has its own, and later searches reuse it.
///
/// An idle connection runs no statement, so it holds no lock and no old state of the database.
final class ReaderPool: Sendable {
    /// A connection for reading.
    ///
    /// `@unchecked Sendable` is sound because a reader is lent to one call at a time: taking it
    /// removes it from the list.
    final class Reader: @unchecked Sendable {
        let store: ItemStore

        init(path: String) throws(KeychainError) { store = try ItemStore(readingFrom: path) }
    }

    private let path: String
    private let mark = AdaptiveMutex<LockMark?>(nil)
    private let idle = AdaptiveMutex<[Reader]>([])

    /// The most idle connections; further ones are closed after use, as each holds up to 4 MB of
    /// pages.
    ///
    /// A daemon has as many searches in progress as threads that were interrupted in one, and a new
    /// connection has to read the pages again.
    private static let idleLimit = 32

    init(path: String) { self.path = path }

    /// Makes every reader give up as soon as a lock is requested.
    func giveUp(at mark: LockMark) { self.mark.withLock { $0 = mark } }

    /// Lends a reader to `body`.
    func withReader<R>(
        _ body: (borrowing ItemStore) throws(KeychainError) -> R
    ) throws(KeychainError) -> R {
        let reader = try takeReader()
        defer {
            idle.withLock { idle in
                if idle.count < Self.idleLimit { idle.append(reader) }
            }
        }
        return try body(reader.store)
    }

    /// Closes the readers that no search uses.
    func closeIdle() {
        let closed = idle.withLock { idle in
            defer { idle = [] }
            return idle
        }
        withExtendedLifetime(closed) {}
    }

    /// Returns the database as it is now, for work that continues over several calls.
    func snapshot() throws(KeychainError) -> RowSnapshot { try RowSnapshot(try newReader()) }

    private func takeReader() throws(KeychainError) -> Reader {
        if let reader = idle.withLock({ $0.popLast() }) { return reader }
        return try newReader()
    }

    private func newReader() throws(KeychainError) -> Reader {
        let reader = try Reader(path: path)
        if let mark = mark.withLock({ $0 }) { reader.store.connection.interruption.follow(mark) }
        return reader
    }
}
