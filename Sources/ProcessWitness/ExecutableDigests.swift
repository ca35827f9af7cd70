import Cryptography
import Glibc
import KeychainSockets
import Synchronization

/// Digests of executables, which are remembered while the files do not change.
package final class ExecutableDigests: Sendable {
    /// The key of a digest.
    ///
    /// Each part except mode and owner changes with the content.
    private struct Key: Hashable, Sendable {
        let identity: FileFacts.Identity
        let byteCount: UInt64
        let modified: FileFacts.Moment
        let changed: FileFacts.Moment

        init(_ facts: FileFacts) {
            identity = facts.identity
            byteCount = facts.byteCount
            modified = facts.modified
            changed = facts.changed
        }
    }

    private let known = Mutex<[Key: [UInt8]]>([:])

    package init() {}

    /// The largest executable that is digested, in bytes; it takes half a second.
    static let byteLimit: UInt64 = 1 << 30
    private static let knownLimit = 1024

    /// Digests the file behind a descriptor.
    ///
    /// - Returns: SHA-256; nil for a file that is too large, unreadable, or changes meanwhile.
    func digest(of file: borrowing Descriptor) -> [UInt8]? {
        guard let facts = FileFacts(of: file.number), facts.isRegular,
            facts.byteCount <= Self.byteLimit
        else { return nil }
        let key = Key(facts)
        if let digest = known.withLock({ $0[key] }) { return digest }
        guard let digest = Self.content(of: file, byteCount: facts.byteCount),
            FileFacts(of: file.number).map(Key.init) == key
        else { return nil }
        if Self.isSettled(facts) {
            known.withLock { known in
                if known.count >= Self.knownLimit { known.removeAll() }
                known[key] = digest
            }
        }
        return digest
    }

    /// Whether a later change will be noticed.
    ///
    /// Two changes in one tick of the clock look the same.
    private static func isSettled(_ facts: FileFacts) -> Bool {
        var now = timespec()
        guard clock_gettime(CLOCK_REALTIME, &now) == 0 else { return false }
        return Int64(now.tv_sec) - 2 > facts.changed.seconds
    }

    private static func content(of file: borrowing Descriptor, byteCount: UInt64) -> [UInt8]? {
        guard let stream = try? DigestStream() else { return nil }
        var part = [UInt8](repeating: 0, count: 1 << 18)
        var offset: UInt64 = 0
        while offset < byteCount {
            guard let place = off_t(exactly: offset) else { return nil }
            let count = pread(file.number, &part, part.count, place)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return nil }
            let isHashed = part.withUnsafeBytes { bytes in
                (try? stream.update(UnsafeRawBufferPointer(rebasing: bytes[..<count]))) != nil
            }
            guard isHashed else { return nil }
            offset += UInt64(count)
        }
        return try? stream.finish()
    }
}
