import KeychainModel

/// The faults of the database file.
///
/// They are not thrown themselves: the store converts each to a `KeychainError` where it calls
/// SQLite.
package enum StoreError: Sendable, Equatable {
    /// The file is not a database, or its pages are inconsistent.
    case damaged(path: String, reason: String)
    /// The database belongs to another program.
    case foreign(path: String)
    /// A table, index, trigger or view is missing, or is not the keychain's.
    case foreignSchema(path: String, difference: String)
    /// A newer version of this program wrote the database.
    case newer(path: String, version: Int64)
    /// Another process held the write lock for longer than the bounded wait.
    case busy(path: String)
    /// The file or its directory cannot be written.
    case readOnly(path: String)
    case full(path: String)
    /// The file has reached its size limit.
    case limitReached(path: String, byteCount: Int)
    case inputOutput(path: String, reason: String)
    case outOfMemory
    /// Two live rows would have the same primary key.
    case duplicate
    case backend(code: Int32, reason: String)
}

extension KeychainError {
    /// Allows `throw .store(.duplicate)`.
    static func store(_ error: StoreError) -> KeychainError { KeychainError(error) }
}
