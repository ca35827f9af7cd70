import Glibc
import KeychainSockets

/// Files with connection strings and passwords, which only their owner may read.
package enum PrivateFile {
    private static let byteCountLimit = 65536

    /// Returns the text of a file without its final line end.
    ///
    /// - Throws: `refused` if other users may read or write the file, or if it is not text.
    package static func text(_ path: String) throws(RelayError) -> String {
        let opened = open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC)
        guard opened >= 0 else { throw .refused("\(path): \(String(cString: strerror(errno)))") }
        let file = Descriptor(opened)
        var facts = stat()
        guard fstat(file.number, &facts) == 0, facts.st_mode & S_IFMT == S_IFREG else {
            throw .refused("\(path) is no file")
        }
        guard facts.st_uid == geteuid() || facts.st_uid == 0, facts.st_mode & 0o077 == 0 else {
            throw .refused("\(path) can be read by others: chmod 600 it")
        }
        var bytes = [UInt8](repeating: 0, count: byteCountLimit + 1)
        var count = 0
        while count < bytes.count {
            let more = bytes.withUnsafeMutableBytes {
                read(file.number, $0.baseAddress.map { $0 + count }, $0.count - count)
            }
            if more < 0, errno == EINTR { continue }
            guard more > 0 else { break }
            count += more
        }
        guard count <= byteCountLimit,
            let text = String(validating: bytes[..<count], as: UTF8.self), !text.contains("\0")
        else { throw .refused("\(path) is no text") }
        return String(text.reversed().drop { $0.isNewline }.reversed())
    }
}
