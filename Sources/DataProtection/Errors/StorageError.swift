/// Why a device file or directory could not be used.
package enum StorageError: Error, Equatable {
    /// Group or others may reach it; `mode` is its permission bits.
    case exposed(path: String, mode: UInt32)

    /// Another user owns it; `owner` is that user's id.
    case foreignOwner(path: String, owner: UInt32)

    /// It is a symbolic link, a device or anything else but a plain file or directory.
    case unexpectedKind(path: String)

    /// It is larger than any file of its kind can be.
    case tooLarge(path: String)

    /// A system call failed; `code` is its `errno`.
    case system(operation: String, path: String, code: Int32)
}
