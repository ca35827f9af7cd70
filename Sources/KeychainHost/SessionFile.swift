import DataProtection
import Glibc

/// An open file with a session image.
package struct SessionFile: ~Copyable {
    private let descriptor: Int32
    /// The name of the image in messages.
    private static let name = "session image"

    private init(descriptor: Int32) { self.descriptor = descriptor }

    deinit { close(descriptor) }

    /// Opens the image at a path.
    ///
    /// - Returns: nil if there is none, or if it is a link or not accessible.
    package static func open(_ path: String) throws(StorageError) -> SessionFile? {
        let descriptor = Glibc.open(path, O_RDONLY | O_NONBLOCK | O_NOFOLLOW | O_CLOEXEC)
        guard descriptor >= 0 else {
            if errno == ENOENT || errno == ELOOP || errno == EACCES { return nil }
            throw failure("open", path)
        }
        return SessionFile(descriptor: descriptor)
    }

    /// Writes an image under another name first, so that no process sees half of it.
    package static func write(
        _ image: [UInt8],
        to path: String
    ) throws(StorageError) -> SessionFile {
        let unfinished = path + ".new"
        unlink(unfinished)
        let flags = O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC
        let descriptor = Glibc.open(unfinished, flags, 0o600)
        guard descriptor >= 0 else { throw failure("open", unfinished) }
        let file = SessionFile(descriptor: descriptor)
        let count = image.withUnsafeBytes { bytes in
            Glibc.write(descriptor, bytes.baseAddress, bytes.count)
        }
        guard count == image.count, rename(unfinished, path) == 0 else {
            // A short write means that there is no space for the rest.
            let code = count >= 0 && count < image.count ? ENOSPC : errno
            unlink(unfinished)
            throw .system(operation: "write", path: path, code: code)
        }
        return file
    }

    /// Empties and removes an image; ignores a missing image, and one of another user.
    ///
    /// A hard link to it then leads to an empty file.
    /// - Returns: Whether there was an image.
    @discardableResult
    package static func remove(_ path: String, of userID: UInt32) throws(StorageError) -> Bool {
        var status = stat()
        guard lstat(path, &status) == 0, status.st_uid == userID else { return false }
        let isEmpty = status.st_mode & S_IFMT == S_IFREG && empty(path)
        guard unlink(path) == 0 || errno == ENOENT || isEmpty else {
            throw failure("unlink", path)
        }
        return true
    }

    /// Truncates an image; leaves any other file, because the name may be a planted link.
    private static func empty(_ path: String) -> Bool {
        let descriptor = Glibc.open(path, O_RDWR | O_NONBLOCK | O_NOFOLLOW | O_CLOEXEC)
        guard descriptor >= 0 else { return false }
        defer { close(descriptor) }
        var mark = [UInt8](repeating: 0, count: SessionImageMagic.bytes.count)
        let count = mark.withUnsafeMutableBytes { pread(descriptor, $0.baseAddress, $0.count, 0) }
        guard count == mark.count, mark == SessionImageMagic.bytes else { return false }
        return ftruncate(descriptor, 0) == 0
    }

    /// Reads the whole image.
    ///
    /// - Returns: nil for another user's file, for one that is too large, and for one on a
    ///   read-only file system, where the session could not be ended.
    package borrowing func content(limit: Int) throws(StorageError) -> [UInt8]? {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw Self.failure("fstat", Self.name) }
        let isOwn = status.st_uid == geteuid() && status.st_mode & 0o077 == 0
        let isPlain = status.st_mode & S_IFMT == S_IFREG && status.st_size <= limit
        guard isOwn, isPlain else { return nil }
        var fileSystem = statvfs()
        guard fstatvfs(descriptor, &fileSystem) == 0 else {
            throw Self.failure("fstatvfs", Self.name)
        }
        guard fileSystem.f_flag & UInt(ST_RDONLY) == 0 else { return nil }
        var bytes = [UInt8](repeating: 0, count: Int(status.st_size))
        let count = bytes.withUnsafeMutableBytes {
            pread(descriptor, $0.baseAddress, $0.count, 0)
        }
        guard count >= 0 else { throw Self.failure("pread", Self.name) }
        return Array(bytes.prefix(count))
    }

    /// Returns the descriptor, which the caller has to close.
    consuming func release() -> Int32 {
        let descriptor = descriptor
        discard self
        return descriptor
    }

    private static func failure(_ operation: String, _ path: String) -> StorageError {
        .system(operation: operation, path: path, code: errno)
    }
}
