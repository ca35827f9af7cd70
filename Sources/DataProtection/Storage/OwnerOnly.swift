import Glibc

/// The rule for every file and directory of a device: only this user's, and not a symbolic link.
package enum OwnerOnly {
    /// The expected kind of a path.
    package enum Kind: Sendable {
        case directory, file

        fileprivate var bits: mode_t { self == .directory ? S_IFDIR : S_IFREG }
    }

    /// Checks a path without following a symbolic link at its end.
    ///
    /// - Returns: False if there is nothing at the path.
    /// - Throws: `unexpectedKind`, `foreignOwner`, `exposed` or `system`.
    @discardableResult
    package static func check(_ path: String, is kind: Kind) throws(StorageError) -> Bool {
        var status = stat()
        guard lstat(path, &status) == 0 else {
            if errno == ENOENT { return false }
            throw .system(operation: "lstat", path: path, code: errno)
        }
        try check(status, of: path, is: kind)
        return true
    }

    /// Checks the kernel's status of a path or an open file.
    static func check(_ status: stat, of path: String, is kind: Kind) throws(StorageError) {
        guard status.st_mode & S_IFMT == kind.bits else { throw .unexpectedKind(path: path) }
        guard status.st_uid == geteuid() else {
            throw .foreignOwner(path: path, owner: status.st_uid)
        }
        guard status.st_mode & 0o077 == 0 else {
            throw .exposed(path: path, mode: status.st_mode & 0o7777)
        }
    }
}
