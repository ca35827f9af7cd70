import Glibc
import KeychainModel
import Secrets

// Invariants   (1) A secret is never in a file that others may open, not even for a moment.
//              (2) The file's name leads to the complete old content or the complete new one.

/// A file that a command writes.
struct OutputFile {
    /// The path of the file.
    let path: String
    /// Whether only its owner may open it.
    let isSecret: Bool

    /// Writes the bytes to the file, in place of its content.
    ///
    /// Replaces a regular file as a whole; writes to anything else, such as a device. A secret goes
    /// through no link and into no pipe of another account.
    ///
    /// - Throws: `errSecIO`, `errSecDiskFull`; `errSecWrPerm` for another account's link or pipe.
    func write(_ content: borrowing Secret) throws(KeychainError) {
        var entry = stat()
        guard lstat(path, &entry) == 0 else {
            guard errno == ENOENT else { throw failure("opened") }
            return try replace(path, with: content)
        }
        switch entry.st_mode & S_IFMT {
        case S_IFREG: try replace(path, with: content)
        case S_IFLNK:
            try requireOwn(entry)
            try writeThroughLink(content)
        default: try writeInto(content)
        }
    }

    private func writeThroughLink(_ content: borrowing Secret) throws(KeychainError) {
        var status = stat()
        guard stat(path, &status) == 0 else {
            guard errno == ENOENT else { throw failure("opened") }
            return try replace(path, with: content)
        }
        guard status.st_mode & S_IFMT == S_IFREG else { return try writeInto(content) }
        guard let resolved = realpath(path, nil) else { throw failure("opened") }
        defer { free(resolved) }
        try replace(String(cString: resolved), with: content)
    }

    private func writeInto(_ content: borrowing Secret) throws(KeychainError) {
        let descriptor = open(path, O_WRONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw failure("opened") }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw failure("opened") }
        try requireOwn(status)
        try write(content, to: descriptor)
    }

    /// Refuses to give a secret to another account, apart from root.
    private func requireOwn(_ status: stat) throws(KeychainError) {
        guard isSecret, status.st_uid != geteuid(), status.st_uid != 0 else { return }
        let reason = "\(path) belongs to account \(status.st_uid), which could read the secret"
        throw KeychainError(.writePermission, reason)
    }

    private func replace(
        _ target: String,
        with content: borrowing Secret
    ) throws(KeychainError) {
        let temporary = target + ".\(UInt64.random(in: 0 ... .max)).tmp"
        let descriptor = open(
            temporary,
            O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC,
            isSecret ? 0o600 : 0o666
        )
        guard descriptor >= 0 else { throw failure("written") }
        defer { close(descriptor) }
        do throws(KeychainError) {
            try write(content, to: descriptor)
            guard fsync(descriptor) == 0, rename(temporary, target) == 0 else {
                throw failure("written")
            }
        } catch {
            unlink(temporary)
            throw error
        }
    }

    private func write(
        _ content: borrowing Secret,
        to descriptor: Int32
    ) throws(KeychainError) {
        try content.withUnsafeBytes { bytes throws(KeychainError) in
            var rest = bytes[...]
            while !rest.isEmpty {
                let part = UnsafeRawBufferPointer(rebasing: rest)
                let count = Glibc.write(descriptor, part.baseAddress, part.count)
                guard count < 0 else {
                    rest = rest.dropFirst(count)
                    continue
                }
                guard errno == EINTR else { throw failure("written") }
            }
        }
    }

    private func failure(_ verb: String) -> KeychainError {
        let status: SecurityStatus = errno == ENOSPC || errno == EDQUOT ? .diskFull : .io
        let reason = "\(path) cannot be \(verb): \(String(cString: strerror(errno)))"
        return KeychainError(status, reason)
    }
}
