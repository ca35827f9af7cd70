/// The magic bytes at the start of a session image.
package enum SessionImageMagic {
    package static let bytes = [UInt8]("swsessio".utf8)
}

/// Stores session images in memory that the processes of one user share until the next restart.
///
/// - Source: Documentation/Spec/keybag.md §5.
package protocol SessionImageStorage: Sendable {
    /// Reads the image of a name.
    ///
    /// - Returns: `nil` if there is none, or if it lies where nobody could remove it.
    func read(_ name: String) throws(StorageError) -> [UInt8]?

    /// Writes the image of a name; nobody else can read or replace it.
    func write(_ image: [UInt8], as name: String) throws(StorageError)

    /// Tells whether the image that was last read or written under the name is still there.
    ///
    /// Asked in every call, so it costs one system call at most.
    func isPresent(_ name: String) -> Bool

    /// Removes the images whose names start so, except one.
    ///
    /// - Returns: How many it removed.
    /// - Throws: `system` if one of them could not be removed; the others are gone.
    @discardableResult
    func remove(startingWith prefix: String, except kept: String?) throws(StorageError) -> Int
}
