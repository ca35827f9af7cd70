import Glibc
import KeychainModel

/// An open directory, which stays the same even if its path changes.
struct OpenFolder: ~Copyable {
    private let path: String
    private let descriptor: Int32

    deinit { close(descriptor) }

    /// Opens a directory, but not a link to one.
    ///
    /// - Throws: The status of the system error.
    init(_ path: String) throws(KeychainError) {
        let found = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
        guard found >= 0 else { throw .failed("open", path) }
        descriptor = found
        self.path = path
    }

    /// A path to the directory for this process, which does not end in a link.
    var ownPath: String { "/proc/self/fd/\(descriptor)/." }

    /// Returns the names in the directory, sorted.
    borrowing func names() throws(KeychainError) -> [String] {
        try MoveFolder.names(in: ownPath)
    }

    /// Returns whether there is a regular file of this name.
    borrowing func hasFile(_ name: String) throws(KeychainError) -> Bool {
        var status = stat()
        guard fstatat(descriptor, name, &status, AT_SYMLINK_NOFOLLOW) == 0 else {
            guard errno == ENOENT else { throw .failed("stat", path + "/" + name) }
            return false
        }
        return status.st_mode & S_IFMT == S_IFREG
    }

    /// Creates an empty file.
    borrowing func makeFile(_ name: String) throws(KeychainError) {
        let file = openat(descriptor, name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard file >= 0 else { throw .failed("open", path + "/" + name) }
        close(file)
    }

    /// Overwrites the content of a file with zeros, durably, and removes the file.
    ///
    /// Hard links to it and descriptors of it have nothing else afterwards. A missing file is not
    /// an error.
    borrowing func destroy(_ name: String) throws(KeychainError) {
        if try hasFile(name) {
            let file = openat(descriptor, name, O_WRONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
            guard file >= 0 else { throw .failed("open", path + "/" + name) }
            defer { close(file) }
            var status = stat()
            guard fstat(file, &status) == 0 else { throw .failed("fstat", path + "/" + name) }
            let zeros = [UInt8](repeating: 0, count: 1 << 16)
            var offset: off_t = 0
            while offset < status.st_size {
                let count = min(zeros.count, Int(status.st_size - offset))
                let written = pwrite(file, zeros, count, offset)
                if written < 0, errno == EINTR { continue }
                guard written > 0 else { throw .failed("write", path + "/" + name) }
                offset += off_t(written)
            }
            guard fsync(file) == 0 else { throw .failed("fsync", path + "/" + name) }
        }
        try remove(name)
    }

    /// Removes a file; a missing file is not an error.
    borrowing func remove(_ name: String) throws(KeychainError) {
        guard unlinkat(descriptor, name, 0) == 0 || errno == ENOENT else {
            throw .failed("unlink", path + "/" + name)
        }
    }

    /// Makes the names in the directory durable.
    borrowing func synchronize() throws(KeychainError) {
        guard fsync(descriptor) == 0 else { throw .failed("fsync", path) }
    }

    /// Removes the directory, unless its path now leads to another one.
    borrowing func removeItself() throws(KeychainError) {
        var (own, present) = (stat(), stat())
        guard fstat(descriptor, &own) == 0, lstat(path, &present) == 0,
            own.st_dev == present.st_dev, own.st_ino == present.st_ino
        else {
            let reason = "\(path) is another directory now; the keychain's empty one was moved away"
            throw KeychainError(.notAvailable, reason)
        }
        guard rmdir(path) == 0 else { throw .failed("rmdir", path) }
    }
}
