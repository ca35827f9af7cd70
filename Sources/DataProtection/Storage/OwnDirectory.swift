import Glibc

/// A directory that only its owner may use.
package enum OwnDirectory {
    /// Creates a directory with mode 0700, and any missing directories above it.
    ///
    /// An existing directory stays as it is.
    /// - Throws: `StorageError.system` for the first directory that cannot be created.
    package static func make(_ path: String) throws(StorageError) {
        guard mkdir(path, 0o700) != 0, errno != EEXIST else { return }
        guard errno == ENOENT, let slash = path.lastIndex(of: "/"), slash != path.startIndex else {
            throw .system(operation: "mkdir", path: path, code: errno)
        }
        try make(String(path[..<slash]))
        guard mkdir(path, 0o700) == 0 || errno == EEXIST else {
            throw .system(operation: "mkdir", path: path, code: errno)
        }
    }
}
