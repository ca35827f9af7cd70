import Glibc

/// An open file or directory, closed at the end of the value's life.
struct Descriptor: ~Copyable {
    private let number: Int32
    private let path: String

    deinit { close(number) }

    /// Opens an absolute path, or one relative to the working directory.
    init(opening path: String, flags: Int32) throws(StorageError) {
        let number = Glibc.open(path, flags | O_CLOEXEC | O_NOFOLLOW)
        guard number >= 0 else { throw Self.failure("open", path) }
        self.number = number
        self.path = path
    }

    /// Opens a name inside an open directory; a new file gets mode 0600.
    init(
        opening name: String,
        in directory: borrowing Descriptor,
        flags: Int32
    ) throws(StorageError) {
        let path = directory.path + "/" + name
        let number = openat(directory.number, name, flags | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard number >= 0 else { throw Self.failure("open", path) }
        self.number = number
        self.path = path
    }

    /// Returns the kernel's status of the open file.
    borrowing func status() throws(StorageError) -> stat {
        var status = stat()
        guard fstat(number, &status) == 0 else { throw Self.failure("fstat", path) }
        return status
    }

    /// Reads from the start to the end.
    ///
    /// - Parameter limit: The most bytes to accept.
    /// - Returns: The content.
    /// - Throws: `tooLarge` or `system`.
    borrowing func readAll(limit: Int) throws(StorageError) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: limit + 1)
        var filled = 0
        while filled < bytes.count {
            let count = bytes.withUnsafeMutableBytes { buffer in
                read(number, buffer.baseAddress.map { $0 + filled }, buffer.count - filled)
            }
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw Self.failure("read", path) }
            guard count > 0 else { break }
            filled += count
        }
        guard filled <= limit else { throw .tooLarge(path: path) }
        defer { bytes.wipe() }
        return [UInt8](bytes[..<filled])
    }

    /// Writes all bytes at the current position.
    borrowing func writeAll(_ bytes: [UInt8]) throws(StorageError) {
        var written = 0
        while written < bytes.count {
            let count = bytes.withUnsafeBytes { buffer in
                write(number, buffer.baseAddress.map { $0 + written }, buffer.count - written)
            }
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw Self.failure("write", path) }
            written += count
        }
    }

    /// Writes all bytes from the start, over the present content.
    borrowing func overwrite(_ bytes: UnsafeRawBufferPointer) throws(StorageError) {
        var written = 0
        while written < bytes.count {
            let rest = UnsafeRawBufferPointer(rebasing: bytes[written...])
            let count = pwrite(number, rest.baseAddress, rest.count, off_t(written))
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw Self.failure("pwrite", path) }
            written += count
        }
    }

    /// Truncates the file to zero bytes.
    borrowing func empty() throws(StorageError) {
        guard ftruncate(number, 0) == 0 else { throw Self.failure("ftruncate", path) }
    }

    /// Waits until the content, or the directory's list of names, is durable.
    borrowing func synchronize() throws(StorageError) {
        guard fsync(number) == 0 else { throw Self.failure("fsync", path) }
    }

    /// Renames within this directory, replacing the target.
    borrowing func rename(_ name: String, to target: String) throws(StorageError) {
        guard renameat(number, name, number, target) == 0 else {
            throw Self.failure("rename", path + "/" + name)
        }
    }

    /// Removes a name from this directory; a missing name is not an error.
    borrowing func unlink(_ name: String) throws(StorageError) {
        guard unlinkat(number, name, 0) == 0 || errno == ENOENT else {
            throw Self.failure("unlink", path + "/" + name)
        }
    }

    /// Tries to take the advisory lock of this descriptor; returns false if another process holds
    /// it.
    borrowing func tryLock() throws(StorageError) -> Bool {
        while flock(number, LOCK_EX | LOCK_NB) != 0 {
            if errno == EWOULDBLOCK { return false }
            guard errno == EINTR else { throw Self.failure("flock", path) }
        }
        return true
    }

    /// Releases the lock explicitly.
    ///
    /// Closing is not enough: a program that another thread is just starting shares the descriptor,
    /// and with it the lock, until it runs.
    borrowing func unlock() { flock(number, LOCK_UN) }

    private static func failure(_ operation: String, _ path: String) -> StorageError {
        errno == ELOOP || errno == ENOTDIR
            ? .unexpectedKind(path: path)
            : .system(operation: operation, path: path, code: errno)
    }
}

extension [UInt8] {
    /// Wipes bytes that passed through ordinary memory on their way to or from a file.
    mutating func wipe() {
        withUnsafeMutableBytes { buffer in
            guard let start = buffer.baseAddress else { return }
            explicit_bzero(start, buffer.count)
        }
    }
}
