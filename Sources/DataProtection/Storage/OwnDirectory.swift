import Glibc

/// A directory that only its owner may use.
package enum OwnDirectory {
    /// Makes a directory of mode 0700, and those above it that are missing.
    ///
    /// A directory that is there stays as it is.
    /// - Throws: `StorageError.system` with the first directory that cannot be made.
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
