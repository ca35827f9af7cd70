import Cryptography
import DataProtection
import FoundationEssentials
import Glibc
import KeychainEngine
import KeychainModel

/// The unlock session in memory-backed storage: shared by the user's processes, gone at shutdown.
///
/// - Source: Documentation/Spec/keybag.md, session image; SECURITY.md "process".
struct RuntimeSession: UnlockSession {
    private let storage: DirectoryStorage

    /// A place of its own for each keychain directory.
    ///
    /// - Returns: nil where there is no memory-backed directory of this user's: each process then
    ///   has to unlock for itself.
    init?(for home: KeychainHome, _ environment: ProcessEnvironment) {
        let name = Self.name(of: home)
        for root in Self.roots(environment) {
            guard Self.isMemoryBacked(root.existing) else { continue }
            guard let found = try? DirectoryStorage(path: root.directory + "/" + name) else {
                continue
            }
            storage = found
            return
        }
        return nil
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

    /// Whether the directory's file system keeps its files in memory, by proc_pid_mountinfo(5).
    private static func isMemoryBacked(_ path: String) -> Bool {
        var status = stat()
        guard stat(path, &status) == 0,
            let table = try? String(contentsOfFile: "/proc/self/mountinfo", encoding: .utf8)
        else { return false }
        let device = deviceName(UInt64(status.st_dev))
        return table.split(separator: "\n").contains { line in
            let fields = line.split(separator: " ")
            guard fields.count > 2, fields[2] == device,
                let dash = fields.firstIndex(of: "-"), dash + 1 < fields.count
            else { return false }
            return fields[dash + 1] == "tmpfs" || fields[dash + 1] == "ramfs"
        }
    }

    /// `major:minor`, put together as makedev(3) splits them.
    private static func deviceName(_ device: UInt64) -> String {
        let major = (device >> 8) & 0xFFF | (device >> 32) & ~0xFFF
        let minor = device & 0xFF | (device >> 12) & ~0xFF
        return "\(major):\(minor)"
    }

    func stamp() throws(KeychainError) -> StorageStamp? {
        do throws(StorageError) {
            return try storage.stamp(of: .session)
        } catch { throw KeychainError(error) }
    }

    func read() throws(KeychainError) -> [UInt8]? {
        do throws(StorageError) {
            return try storage.read(.session)
        } catch { throw KeychainError(error) }
    }

    func replace(with image: [UInt8]?) throws(KeychainError) {
        do throws(StorageError) {
            if let image {
                try storage.replace(.session, with: image)
            } else {
                try storage.remove(.session)
            }
        } catch { throw KeychainError(error) }
    }
}
