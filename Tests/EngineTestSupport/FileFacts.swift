import Glibc

/// What the system says about files, and what makes them.
package enum FileFacts {
    /// Makes an empty file of this user alone.
    package static func make(_ path: String) -> Bool {
        let descriptor = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { return false }
        return close(descriptor) == 0
    }

    /// The permission bits; nil where there is nothing.
    package static func mode(of path: String) -> UInt32? {
        var status = stat()
        guard lstat(path, &status) == 0 else { return nil }
        return status.st_mode & 0o7777
    }
}
