import Glibc
import KeychainModel
import Secrets

/// The encrypted bytes of a backup that a restore receives, until it has all of them.
///
/// The bytes are in a nameless file beside the database, so that memory does not grow with them.
/// A keychain in memory keeps them in memory.
struct BackupSpool: ~Copyable {
    private let path: String?
    private let descriptor: Int32
    private var memory: [UInt8] = []
    private var readByteCount = 0
    private var byteCount = 0
    private let room: SpoolRoom?

    /// Creates an empty spool.
    ///
    /// - Parameters:
    ///   - path: The path of the file beside which the spool is created; nil for memory.
    ///   - room: The space that all spools of the keychain share; nil for no limit.
    ///   - isNamed: Whether the file has a name for a moment even if the file system could create a
    ///     nameless one.
    /// - Throws: The status of the system error if the file cannot be created.
    init(
        beside path: String?,
        in room: SpoolRoom? = nil,
        isNamed: Bool = false
    ) throws(KeychainError) {
        self.room = room
        self.path = path.map { $0 + "-restore" }
        guard let name = self.path else {
            descriptor = -1
            return
        }
        // A process that was killed while its file had a name may have left that file.
        guard unlink(name) == 0 || errno == ENOENT else { throw Self.failed("unlink", name) }
        let nameless = isNamed ? -1 : Self.openNameless(in: name)
        descriptor = try nameless >= 0 ? nameless : Self.openNamed(name)
    }

    /// Opens a file that never has a name; returns -1 if the file system cannot create one.
    private static func openNameless(in name: String) -> Int32 {
        let directory = name.lastIndex(of: "/").map { String(name[..<$0]) } ?? "."
        return open(directory, temporaryFlag | O_RDWR | O_CLOEXEC, 0o600)
    }

    /// `O_TMPFILE`, a macro that Swift does not import: `__O_TMPFILE` and `O_DIRECTORY`.
    private static let temporaryFlag = 0o20_000_000 | O_DIRECTORY

    /// Opens a file and removes its name at once.
    ///
    /// Another restore may use the same name at that moment, so creation retries.
    private static func openNamed(_ name: String) throws(KeychainError) -> Int32 {
        let flags = O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC
        var opened = open(name, flags, 0o600)
        var attempts = 1
        while opened < 0, errno == EEXIST, attempts < 1000 {
            unlink(name)
            opened = open(name, flags, 0o600)
            attempts += 1
        }
        guard opened >= 0 else { throw failed("open", name) }
        guard unlink(name) == 0 || errno == ENOENT else {
            let failure = failed("unlink", name)
            close(opened)
            throw failure
        }
        return opened
    }

    deinit {
        room?.leave(byteCount)
        if descriptor >= 0 { close(descriptor) }
    }

    mutating func append(_ bytes: [UInt8]) throws(KeychainError) {
        try room?.enter(bytes.count)
        byteCount += bytes.count
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

    /// Returns the next bytes, at most as many as requested; an empty array at the end.
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

/// The limit for all incoming backups of a keychain together, as large as that of its items.
final class SpoolRoom: Sendable {
    private let byteLimit: Int
    private let held = AdaptiveMutex(0)

    /// Returns nil for a keychain without a limit.
    init?(_ byteLimit: Int?) {
        guard let byteLimit else { return nil }
        self.byteLimit = byteLimit
    }

    /// - Throws: `errSecDiskFull` if the bytes exceed the limit.
    fileprivate func enter(_ count: Int) throws(KeychainError) {
        let isRoom = held.withLock { held in
            guard count <= byteLimit - held else { return false }
            held += count
            return true
        }
        guard !isRoom else { return }
        let limit = "\(byteLimit >> 20) MiB that backups on their way in may have"
        throw KeychainError(.diskFull, "the backup is larger than the \(limit)")
    }

    fileprivate func leave(_ count: Int) { held.withLock { $0 -= count } }
}
