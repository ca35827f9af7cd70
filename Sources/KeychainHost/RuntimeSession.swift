import Cryptography
import DataProtection
import Glibc
import KeychainEngine
import KeychainModel
import Synchronization

/// The unlock session in memory-backed storage: shared by the user's processes, gone at shutdown.
///
/// - Source: Documentation/Spec/keybag.md, session image; SECURITY.md "process".
final class RuntimeSession: UnlockSession {
    private let directory: String
    /// Opened when there is something to read or write.
    private let opened = Mutex<DirectoryStorage?>(nil)

    /// A place of its own for each keychain directory; made when a device is first unlocked.
    ///
    /// - Returns: nil where there is no memory-backed directory: each process then has to unlock
    ///   for itself.
    init?(for home: KeychainHome, _ environment: ProcessEnvironment) {
        let root = Self.roots(environment).first { Self.isMemoryBacked($0.existing) }
        guard let root else { return nil }
        directory = root.directory + "/" + Self.name(of: home)
    }

    /// nil while nobody has made the directory, unless it is to be made now.
    private func storage(making: Bool) throws(StorageError) -> DirectoryStorage? {
        let path = directory
        return try opened.withLock { opened throws(StorageError) in
            if let opened { return opened }
            guard making || access(path, F_OK) == 0 else { return nil }
            let storage = try DirectoryStorage(path: path)
            opened = storage
            return storage
        }
    }

    private static func roots(
        _ environment: ProcessEnvironment
    ) -> [(existing: String, directory: String)] {
        var roots: [(existing: String, directory: String)] = []
        if let runtime = environment["XDG_RUNTIME_DIR"] {
            roots.append((runtime, runtime + "/keychain"))
        }
        roots.append(("/dev/shm", "/dev/shm/keychain-\(environment.userID)"))
        return roots
    }

    private static func name(of home: KeychainHome) -> String {
        var path = home.directory
        if let resolved = realpath(path, nil) {
            path = String(cString: resolved)
            free(resolved)
        }
        let digest = (try? Digest.sha256(Array(path.utf8))) ?? Array(path.utf8)
        return digest.prefix(16).map { Self.hexadecimal($0) }.joined()
    }

    private static func hexadecimal(_ byte: UInt8) -> String {
        let text = String(byte, radix: 16)
        return text.count == 1 ? "0" + text : text
    }

    /// Whether the directory's file system keeps its files in memory.
    private static func isMemoryBacked(_ path: String) -> Bool {
        MountTable.fileSystemType(of: path).map { ["tmpfs", "ramfs"].contains($0) } ?? false
    }

    func stamp() throws(KeychainError) -> StorageStamp? {
        try visit { () throws(StorageError) in
            try storage(making: false)?.stamp(of: .session)
        }
    }

    func read() throws(KeychainError) -> [UInt8]? {
        try visit { () throws(StorageError) in try storage(making: false)?.read(.session) }
    }

    func replace(with image: [UInt8]?) throws(KeychainError) {
        try visit { () throws(StorageError) in
            if let image {
                try storage(making: true)?.replace(.session, with: image)
            } else {
                try storage(making: false)?.remove(.session)
            }
        }
    }

    private func visit<R>(_ body: () throws(StorageError) -> R) throws(KeychainError) -> R {
        do throws(StorageError) { return try body() } catch { throw KeychainError(error) }
    }
}
