import KeychainModel

/// What can go wrong with the database file.
///
/// It is not thrown: the store makes a `KeychainError` of it where it meets SQLite.
package enum StoreError: Sendable, Equatable {
    /// The file is not a database, or its pages do not hold together.
    case damaged(path: String, reason: String)
    /// A database of some other program.
    case foreign(path: String)
    /// A table, index, trigger or view that is not the keychain's, or that is missing.
    case foreignSchema(path: String, difference: String)
    /// Written by a newer version of this program.
    case newer(path: String, version: Int64)
    /// Another process held the write lock for longer than the bounded wait.
    case busy(path: String)
    /// The file or its directory cannot be written.
    case readOnly(path: String)
    case full(path: String)
    /// The file has reached the size that it may have.
    case limitReached(path: String, byteCount: Int)
    case inputOutput(path: String, reason: String)
    case outOfMemory
    /// Two live rows would have the same primary key.
    case duplicate
    case backend(code: Int32, reason: String)
}

extension KeychainError {
    /// Spells `throw .store(.duplicate)`.
    static func store(_ error: StoreError) -> KeychainError { KeychainError(error) }
}
