import Glibc
import KeychainModel

/// A writer of a backup, which first uses another name, so that the path has the old file or the
/// whole new one.
///
/// - Source: Documentation/Spec/backup.md §7.
package struct BackupFileWriter: ~Copyable {
    private let path: String
    private var unfinished: String { path + ".new" }
    private let descriptor: Int32
    /// Whether the file got its name; otherwise it is removed with the value.
    private var isFinished = false

    /// Creates `path` + `.new` with mode 0600, and replaces one that an interrupted backup left.
    ///
    /// - Throws: The status of the system error.
    package init(path: String) throws(KeychainError) {
        unlink(path + ".new")
        let flags = O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC
        let opened = open(path + ".new", flags, 0o600)
        guard opened >= 0 else { throw .failed("open", path + ".new") }
        self.path = path
        descriptor = opened
    }

    deinit {
        close(descriptor)
        if !isFinished { unlink(path + ".new") }
    }

    /// Appends bytes.
    package borrowing func write(_ bytes: [UInt8]) throws(KeychainError) {
        var written = 0
        while written < bytes.count {
            let count = bytes.withUnsafeBytes { buffer in
                Glibc.write(
                    descriptor,
                    buffer.baseAddress.map { $0 + written },
                    buffer.count - written
                )
            }
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw .failed("write", unfinished) }
            written += count
        }
    }

    /// Makes the file durable and renames it to its path.
    package consuming func finish() throws(KeychainError) {
        guard fsync(descriptor) == 0 else { throw .failed("fsync", unfinished) }
        try DurableRename.move(unfinished, to: path)
        isFinished = true
    }
}
