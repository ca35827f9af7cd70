import Glibc
import KeychainModel

/// The bytes of a backup on their way in, until all of them are there.
///
/// They lie in a file without a name beside the database, so that memory does not grow with them; a
/// keychain in memory keeps them there. What they say is encrypted, as in any backup.
struct BackupSpool: ~Copyable {
    private let path: String?
    private let descriptor: Int32
    private var memory: [UInt8] = []
    private var readByteCount = 0

    /// Makes an empty one.
    ///
    /// - Parameter path: The file that the spool lies beside; nil for memory.
    /// - Throws: `errSecDiskFull` or what else the system's code means.
    init(beside path: String?) throws(KeychainError) {
        self.path = path.map { $0 + "-restore" }
        guard let name = self.path else {
            descriptor = -1
            return
        }
        let flags = O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC
        // What a process left that was killed between these two lines.
        unlink(name)
        let opened = open(name, flags, 0o600)
        guard opened >= 0 else { throw Self.failed("open", name) }
        guard unlink(name) == 0 else {
            let failure = Self.failed("unlink", name)
            close(opened)
            throw failure
        }
        descriptor = opened
    }

    deinit { if descriptor >= 0 { close(descriptor) } }

    mutating func append(_ bytes: [UInt8]) throws(KeychainError) {
        guard let path else {
            memory += bytes
            return
        }
        var written = 0
        while written < bytes.count {
            let count = bytes.withUnsafeBytes { buffer in
                write(descriptor, buffer.baseAddress.map { $0 + written }, buffer.count - written)
            }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw Self.failed("write", path) }
            written += count
        }
    }

    /// The next bytes, at most as many as asked for; none at the end.
    mutating func read(_ byteCount: Int) throws(KeychainError) -> [UInt8] {
        guard let path else {
            let part = Array(memory.dropFirst(readByteCount).prefix(byteCount))
            readByteCount += part.count
            return part
        }
        var bytes = [UInt8](repeating: 0, count: byteCount)
        while true {
            let count = bytes.withUnsafeMutableBytes { buffer in
                pread(descriptor, buffer.baseAddress, buffer.count, readByteCount)
            }
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw Self.failed("read", path) }
            readByteCount += count
            return Array(bytes.prefix(count))
        }
    }

    private static func failed(_ operation: String, _ path: String) -> KeychainError {
        let code = errno
        return KeychainError(
            SystemCode.status(of: code),
            SystemCode.reason(operation, path, code)
        )
    }
}
