import Glibc

/// A directory that only its owner may use.
package enum OwnDirectory {
    /// Creates a directory with mode 0700, and any missing directories above it.
    ///
    /// An existing directory stays as it is.
    /// - Throws: `StorageError.system` for the first directory that cannot be created, also if the
    ///   process's umask takes the owner's rights from it.
    package static func make(_ path: String) throws(StorageError) {
        guard mkdir(path, 0o700) != 0 else { return try requireRights(path) }
        guard errno != EEXIST else { return }
        guard errno == ENOENT, let slash = path.lastIndex(of: "/"), slash != path.startIndex else {
            throw .system(operation: "mkdir", path: path, code: errno)
        }
        try make(String(path[..<slash]))
        guard mkdir(path, 0o700) != 0 else { return try requireRights(path) }
        guard errno == EEXIST else {
            throw .system(operation: "mkdir", path: path, code: errno)
        }
    }

    /// Removes a new directory that its owner cannot use, and throws.
    private static func requireRights(_ path: String) throws(StorageError) {
        var status = stat()
        guard lstat(path, &status) == 0, status.st_mode & 0o700 != 0o700 else { return }
        rmdir(path)
        throw .system(operation: "mkdir with this umask", path: path, code: EACCES)
    }
}
