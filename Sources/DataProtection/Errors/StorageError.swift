/// The reasons why a device file or directory could not be used.
package enum StorageError: Error, Equatable {
    /// Its group or other users have access; `mode` contains its permission bits.
    case exposed(path: String, mode: UInt32)

    /// Another user owns it; `owner` is that user's id.
    case foreignOwner(path: String, owner: UInt32)

    /// It is a symbolic link, a device or another kind instead of a plain file or directory.
    case unexpectedKind(path: String)

    /// It is larger than any valid file of its kind.
    case tooLarge(path: String)

    /// A system call failed; `code` is its `errno`.
    case system(operation: String, path: String, code: Int32)
}
