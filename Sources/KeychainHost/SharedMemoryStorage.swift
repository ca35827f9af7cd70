import DataProtection
import Glibc
import KeychainEngine
import KeychainModel
import Secrets

/// A store of session images in memory, where only this user can add or remove files.
///
/// The directory depends only on the user, so that processes with different environments agree;
/// `XDG_RUNTIME_DIR` is the last resort. The names of the images are unpredictable.
/// - Source: Documentation/Spec/keybag.md §5; SECURITY.md "Process".
final class SharedMemoryStorage: SessionImageStorage {
    /// The most bytes of an image; real ones have a few hundred.
    private static let byteCountLimit = 4096

    private struct Known: Sendable {
        let name: String
        let descriptor: Int32
    }

    private let userID: UInt32
    /// The directories that could serve, in order.
    let candidates: [String]
    /// The image that was last read or written.
    private let known = AdaptiveMutex<Known?>(nil)

    init(_ environment: ProcessEnvironment) {
        userID = environment.userID
        let fixed = ["/run/user/\(environment.userID)", "/dev/shm"]
        let runtime = environment["XDG_RUNTIME_DIR"].map { [$0] } ?? []
        candidates = fixed + runtime.filter { !fixed.contains($0) }
    }

    deinit {
        known.withLock { known in if let known { close(known.descriptor) } }
    }

    /// The directories that can serve now, in order.
    var roots: [String] { candidates.filter { MemoryDirectory.fault(of: $0, for: userID) == nil } }

    func read(_ name: String) throws(StorageError) -> [UInt8]? {
        for root in roots {
            guard let image = try SessionFile.open(root + "/" + name) else { continue }
            guard let bytes = try image.content(limit: Self.byteCountLimit) else { continue }
            watch(name, image.release())
            return bytes
        }
        return nil
    }

    func write(_ image: [UInt8], as name: String) throws(StorageError) {
        var failure = StorageError.unexpectedKind(path: candidates.joined(separator: ", "))
        for root in roots {
            do throws(StorageError) {
                watch(name, try SessionFile.write(image, to: root + "/" + name).release())
                return
            } catch { failure = error }
        }
        throw failure
    }

    private func watch(_ name: String, _ descriptor: Int32) {
        known.withLock { known in
            if let known { close(known.descriptor) }
            known = Known(name: name, descriptor: descriptor)
        }
    }

    func isPresent(_ name: String) -> Bool {
        guard let known = known.withLock({ $0 }), known.name == name else { return false }
        var status = stat()
        return fstat(known.descriptor, &status) == 0 && status.st_nlink > 0 && status.st_size > 0
    }

    /// Removes images even where they are not trusted now, because they may be trusted again.
    func remove(startingWith prefix: String, except kept: String?) throws(StorageError) -> Int {
        var count = 0
        var failure: StorageError?
        for root in candidates {
            for name in MemoryDirectory.names(in: root, startingWith: prefix) where name != kept {
                do throws(StorageError) {
                    if try SessionFile.remove(root + "/" + name, of: userID) { count += 1 }
                } catch { failure = error }
            }
        }
        if let failure { throw failure }
        return count
    }
}

/// A directory in memory, and whether it can be trusted.
package enum MemoryDirectory {
    /// The reasons why session images cannot be there.
    enum Fault: Equatable {
        case isMissing, isNoDirectory, isOpenToOthers, isNotInMemory
    }

    /// Returns nil if files there stay in memory, and only the user and root can rename or remove
    /// them.
    ///
    /// - Source: proc_pid_mountinfo(5); inode(7), "sticky bit".
    static func fault(of path: String, for userID: UInt32) -> Fault? {
        var status = stat()
        guard lstat(path, &status) == 0 else { return .isMissing }
        guard status.st_mode & S_IFMT == S_IFDIR else { return .isNoDirectory }
        let isOwn = status.st_uid == userID && status.st_mode & 0o077 == 0
        let isShared = status.st_uid == 0 && status.st_mode & S_ISVTX != 0
        guard isOwn || isShared else { return .isOpenToOthers }
        let type = MountTable.fileSystemType(of: path)
        return type == "tmpfs" || type == "ramfs" ? nil : .isNotInMemory
    }

    /// Returns the names in a directory with a prefix.
    package static func names(in path: String, startingWith prefix: String) -> [String] {
        guard let directory = opendir(path) else { return [] }
        defer { closedir(directory) }
        var names: [String] = []
        while let entry = readdir(directory) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
                pointer.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            if name.hasPrefix(prefix) { names.append(name) }
        }
        return names
    }
}
