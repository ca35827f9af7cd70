import Glibc
import KeychainModel

/// The directory of a log, held open, so that renaming a directory above it has no effect.
///
/// It has mode 0700 and its files 0600. A directory or file with wider permissions or another owner
/// is refused, and so is a symbolic link.
final class LogFolder: Sendable {
    let path: String
    private let descriptor: Int32

    static let headName = "head"

    /// Opens the directory, and creates it if it is absent; its parent must exist.
    init(_ path: String) throws(KeychainError) {
        guard mkdir(path, 0o700) == 0 || errno == EEXIST else { throw .log("mkdir", path) }
        let found = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
        guard found >= 0 else { throw .log("open", path) }
        descriptor = found
        self.path = path
        try LogFile.check(found, path, kind: S_IFDIR)
    }

    deinit { close(descriptor) }

    /// Opens a file in the directory.
    ///
    /// - Returns: nil if there is no such file.
    func file(_ name: String, _ flags: Int32) throws(KeychainError) -> LogFile? {
        let path = path + "/" + name
        let found = openat(descriptor, name, flags | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK, 0o600)
        guard found >= 0 else {
            if errno == ENOENT { return nil }
            throw .log("open", path)
        }
        let file = LogFile(found, path)
        try LogFile.check(found, path, kind: S_IFREG)
        return file
    }

    func remove(_ name: String) throws(KeychainError) {
        guard unlinkat(descriptor, name, 0) == 0 || errno == ENOENT else {
            throw .log("unlink", path + "/" + name)
        }
    }

    /// Makes the names in the directory durable.
    func synchronize() throws(KeychainError) {
        guard fsync(descriptor) == 0 else { throw .log("fsync", path) }
    }

    /// Returns the numbers of the files' first lines, by their names, in order.
    func firstNumbers() throws(KeychainError) -> [UInt64] {
        let copy = openat(descriptor, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard copy >= 0 else { throw .log("open", path) }
        guard let stream = fdopendir(copy) else {
            close(copy)
            throw .log("open", path)
        }
        defer { closedir(stream) }
        var numbers: [UInt64] = []
        while let entry = readdir(stream) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) { name in
                name.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            if let number = Self.firstNumber(of: name) { numbers.append(number) }
        }
        return numbers.sorted()
    }

    /// Returns the name of the file whose first line has that number: 20 digits and `.log`.
    static func name(first number: UInt64) -> String {
        let digits = String(number)
        return String(repeating: "0", count: 20 - digits.count) + digits + ".log"
    }

    private static func firstNumber(of name: String) -> UInt64? {
        guard name.utf8.count == 24, let number = UInt64(name.prefix(20)),
            name == self.name(first: number)
        else { return nil }
        return number
    }
}

/// An open file of a log, closed with the object.
final class LogFile: Sendable {
    let path: String
    private let descriptor: Int32

    init(_ descriptor: Int32, _ path: String) {
        self.descriptor = descriptor
        self.path = path
    }

    deinit {
        // A program that another thread starts at this moment also has the lock, until its exec.
        unlock()
        close(descriptor)
    }

    static func check(
        _ descriptor: Int32,
        _ path: String,
        kind: mode_t
    ) throws(KeychainError) {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw .log("fstat", path) }
        guard status.st_mode & S_IFMT == kind, status.st_uid == geteuid(),
            status.st_mode & 0o077 == 0
        else {
            let reason = "\(path) is not a file of this account alone; nothing is logged to it"
            throw KeychainError(.notAvailable, reason)
        }
    }

    /// Whether this process now has the file's lock, which ends with the object.
    func tryLock() -> Bool { flock(descriptor, LOCK_EX | LOCK_NB) == 0 }

    /// Releases the lock.
    func unlock() { flock(descriptor, LOCK_UN) }

    var byteCount: Int {
        var status = stat()
        return fstat(descriptor, &status) == 0 ? Int(status.st_size) : 0
    }

    /// Writes all the bytes at an offset.
    ///
    /// - Returns: Whether all of them were written.
    func write(_ bytes: [UInt8], at offset: Int) -> Bool { write(bytes[...], at: offset) }

    /// Writes all the bytes at an offset.
    ///
    /// - Returns: Whether all of them were written.
    func write(_ bytes: ArraySlice<UInt8>, at offset: Int) -> Bool {
        var written = 0
        while written < bytes.count {
            let count = bytes.withUnsafeBytes { buffer in
                pwrite(
                    descriptor,
                    buffer.baseAddress.map { $0 + written },
                    buffer.count - written,
                    off_t(offset + written)
                )
            }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return false }
            written += count
        }
        return true
    }

    /// Sets the size of the file.
    func cut(to byteCount: Int) -> Bool { ftruncate(descriptor, off_t(byteCount)) == 0 }

    /// Waits until the written bytes are durable.
    func synchronize() throws(KeychainError) {
        guard fdatasync(descriptor) == 0 else { throw .log("fdatasync", path) }
    }

    /// Reads from the start.
    ///
    /// - Parameter limit: The largest number of bytes to accept.
    /// - Returns: The content; nil if it is longer.
    /// - Throws: The system's error.
    func readAll(limit: Int) throws(KeychainError) -> [UInt8]? {
        var bytes = [UInt8](repeating: 0, count: min(limit, byteCount) + 1)
        var filled = 0
        while filled < bytes.count {
            let count = bytes.withUnsafeMutableBytes { buffer in
                pread(
                    descriptor,
                    buffer.baseAddress.map { $0 + filled },
                    buffer.count - filled,
                    off_t(filled)
                )
            }
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw .log("read", path) }
            if count == 0 { break }
            filled += count
            if filled == bytes.count, filled <= limit {
                bytes += [UInt8](repeating: 0, count: min(limit + 1 - filled, 1 << 16))
            }
        }
        guard filled <= limit else { return nil }
        bytes.removeLast(bytes.count - filled)
        return bytes
    }
}

extension KeychainError {
    /// Returns the error of a failed system call on a file of the log.
    static func log(_ operation: String, _ path: String) -> KeychainError {
        let code = errno
        let words = String(cString: strerror(code))
        let status: SecurityStatus = code == ENOSPC || code == EDQUOT ? .diskFull : .io
        return KeychainError(status, "\(path): \(operation) failed: \(words)")
    }
}
