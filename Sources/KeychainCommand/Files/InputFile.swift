import Glibc
import KeychainModel
import Secrets

/// A file whose bytes may be secret.
enum InputFile {
    /// The greatest file that is read, in bytes; far more than any file of keys and certificates.
    static let byteCountLimit = 16 << 20

    private static let chunkByteCount = 64 << 10

    /// Reads a whole file straight into memory that is wiped.
    ///
    /// - Throws: `errSecIO` if it cannot be read; `errSecDataTooLarge`.
    static func read(_ path: String) throws(KeychainError) -> Secret {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw failure(path, "opened") }
        defer { close(descriptor) }
        return try read(descriptor, path)
    }

    /// Reads the rest of an open file.
    ///
    /// - Throws: `errSecIO` if it cannot be read; `errSecDataTooLarge`.
    static func read(_ descriptor: Int32, _ path: String) throws(KeychainError) -> Secret {
        try all(of: path) { buffer throws(KeychainError) in
            while true {
                let count = Glibc.read(descriptor, buffer.baseAddress, buffer.count)
                if count >= 0 { return count }
                guard errno == EINTR else { throw failure(path, "read") }
            }
        }
    }

    /// Reads all of standard input straight into memory that is wiped.
    ///
    /// - Throws: `errSecIO` if it cannot be read; `errSecDataTooLarge`.
    static func read(_ terminal: any Terminal) throws(KeychainError) -> Secret {
        try all(of: "standard input") { buffer throws(KeychainError) in
            try terminal.read(into: buffer)
        }
    }

    private static func all(
        of name: String,
        next: (UnsafeMutableRawBufferPointer) throws(KeychainError) -> Int
    ) throws(KeychainError) -> Secret {
        var all = Secret(byteCount: 0) { _ in }
        while true {
            var count = 0
            let chunk = try Secret(byteCount: chunkByteCount) { target throws(KeychainError) in
                count = try next(target)
            }
            guard count > 0 else { return all }
            guard all.byteCount + count <= byteCountLimit else {
                throw KeychainError(.dataTooLarge, "\(name) has more than \(byteCountLimit) bytes")
            }
            let read = chunk.withUnsafeBytes { bytes in
                Secret(copying: UnsafeRawBufferPointer(rebasing: bytes.prefix(count)))
            }
            all = Secret(concatenating: all, read)
        }
    }

    private static func failure(_ path: String, _ verb: String) -> KeychainError {
        KeychainError(.io, "\(path) cannot be \(verb): \(String(cString: strerror(errno)))")
    }
}
