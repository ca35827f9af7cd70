import Glibc
import KeychainModel

/// A reader of a backup file from its start, piece by piece.
package struct BackupFileReader: ~Copyable {
    private let path: String
    private let descriptor: Int32

    /// Opens a regular file, because waiting for a pipe would block the whole keychain.
    ///
    /// - Throws: The status of the system error; `errSecParam` for a pipe or directory.
    package init(path: String) throws(KeychainError) {
        let opened = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
        guard opened >= 0 else { throw .failed("open", path) }
        var status = stat()
        guard fstat(opened, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            close(opened)
            throw KeychainError(.param, "\(path) is not a regular file")
        }
        self.path = path
        descriptor = opened
    }

    deinit { close(descriptor) }

    /// Returns the next bytes, at most as many as requested; an empty array at the end.
    package borrowing func read(_ byteCount: Int) throws(KeychainError) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: byteCount)
        while true {
            let count = bytes.withUnsafeMutableBytes { buffer in
                Glibc.read(descriptor, buffer.baseAddress, buffer.count)
            }
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw .failed("read", path) }
            return Array(bytes.prefix(count))
        }
    }
}
