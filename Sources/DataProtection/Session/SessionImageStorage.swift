/// The magic bytes at the start of a session image.
package enum SessionImageMagic {
    package static let bytes = [UInt8]("swsessio".utf8)
}

/// A store of session images in memory that a user's processes share until the next restart.
///
/// - Source: Documentation/Spec/keybag.md §5.
package protocol SessionImageStorage: Sendable {
    /// Reads an image by name.
    ///
    /// - Returns: `nil` if there is none, or if it is in a place from which it could not be
    ///   removed.
    func read(_ name: String) throws(StorageError) -> [UInt8]?

    /// Writes an image by name, so that no other user can read or replace it.
    func write(_ image: [UInt8], as name: String) throws(StorageError)

    /// Whether the image last read or written under this name still exists.
    ///
    /// Every call checks this, so it takes at most one system call.
    func isPresent(_ name: String) -> Bool

    /// Removes the images whose names start with a prefix, except one.
    ///
    /// - Returns: The number of images removed.
    /// - Throws: `system` if one of them could not be removed; the others are gone.
    @discardableResult
    func remove(startingWith prefix: String, except kept: String?) throws(StorageError) -> Int
}
