import Glibc
import KeychainModel
import ProtectedFiles
import Secrets

// Law  Everything in the folder is overwritten and removed, or the user learns that it remains.

/// A folder that only this user can enter, in a file system in memory.
///
/// It is locked while it is in use, so that a folder whose owner was killed can be recognized.
final class EditFolder {
    static let memory = "/dev/shm"
    private static let prefix = "keychainctl-"

    let path: String
    private let descriptor: Int32

    init(in memory: String = EditFolder.memory) throws(CommandFailure) {
        guard (try? BackingProbe(memory))?.fileSystem == "tmpfs" else {
            throw .input("\(memory) is no memory file system, so the content cannot be lent")
        }
        // When the folder gets its final name, it is locked already.
        var name = Array("\(memory)/.\(Self.prefix)XXXXXX".utf8CString)
        guard mkdtemp(&name) != nil, chmod(name, 0o700) == 0 else { throw Self.unwritable(memory) }
        let hidden = String(decoding: name.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
        path = memory + "/" + hidden.dropFirst(memory.utf8.count + 2)
        descriptor = open(hidden, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
        guard descriptor >= 0, flock(descriptor, LOCK_EX) == 0, rename(hidden, path) == 0 else {
            let failure = Self.unwritable(memory)
            rmdir(hidden)
            throw failure
        }
    }

    private static func unwritable(_ memory: String) -> CommandFailure {
        .input("\(memory) cannot be written: \(String(cString: strerror(errno)))")
    }

    deinit { close(descriptor) }

    func has(_ name: String) -> Bool {
        faccessat(descriptor, name, F_OK, AT_SYMLINK_NOFOLLOW) == 0
    }

    /// Whether there are other files, such as an editor's backup when a signal ends it.
    func hasOthers(than name: String) -> Bool {
        Self.names(in: descriptor)?.contains { $0 != name } ?? true
    }

    /// Reads a file of the folder; follows no link that an editor left in its place.
    ///
    /// - Throws: `errSecIO` if it is not a regular file or cannot be read; `errSecDataTooLarge`.
    func read(_ name: String) throws(KeychainError) -> Secret {
        let whole = path + "/" + name
        let flags = O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC
        let file = openat(descriptor, name, flags)
        defer { if file >= 0 { close(file) } }
        var facts = stat()
        guard file >= 0, fstat(file, &facts) == 0, facts.st_mode & S_IFMT == S_IFREG else {
            throw KeychainError(.io, "\(whole) is no regular file, or cannot be read")
        }
        return try InputFile.read(file, whole)
    }

    /// Overwrites and removes everything, and the folder.
    ///
    /// - Returns: The paths that are still there.
    func clear() -> [String] {
        let left = Self.clear(descriptor, path)
        guard left.isEmpty, rmdir(path) != 0 else { return left }
        return errno == ENOENT ? [] : [path]
    }

    private static func clear(_ folder: Int32, _ path: String) -> [String] {
        guard let names = names(in: folder) else { return [path] }
        return names.flatMap { remove($0, from: folder, path) }
    }

    private static func names(in folder: Int32) -> [String]? {
        let again = openat(folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard again >= 0, let stream = fdopendir(again) else { return nil }
        defer { closedir(stream) }
        var names: [String] = []
        while let entry = readdir(stream) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) { place in
                place.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            if name != ".", name != ".." { names.append(name) }
        }
        return names
    }

    private static func remove(_ name: String, from folder: Int32, _ path: String) -> [String] {
        let whole = path + "/" + name
        var facts = stat()
        guard fstatat(folder, name, &facts, AT_SYMLINK_NOFOLLOW) == 0 else {
            return errno == ENOENT ? [] : [whole]
        }
        switch facts.st_mode & S_IFMT {
        case S_IFDIR:
            let inner = openat(folder, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
            guard inner >= 0 else { return [whole] }
            defer { close(inner) }
            let left = clear(inner, whole)
            guard left.isEmpty else { return left }
            return unlinkat(folder, name, AT_REMOVEDIR) == 0 ? [] : [whole]
        case S_IFREG:
            // A file with another hard link may be one that the user wants to keep.
            if facts.st_nlink == 1 { overwrite(name, in: folder, Int(facts.st_size)) }
            return unlinkat(folder, name, 0) == 0 ? [] : [whole]
        default:
            return unlinkat(folder, name, 0) == 0 ? [] : [whole]
        }
    }

    private static func overwrite(_ name: String, in folder: Int32, _ count: Int) {
        let descriptor = openat(folder, name, O_WRONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
        guard descriptor >= 0 else { return }
        defer { close(descriptor) }
        let zeros = [UInt8](repeating: 0, count: 1 << 16)
        var rest = count
        while rest > 0 {
            let done = write(descriptor, zeros, min(rest, zeros.count))
            if done < 0, errno == EINTR { continue }
            guard done > 0 else { return }
            rest -= done
        }
    }

    /// Returns this user's folders whose owner was killed.
    static func leftovers(in memory: String = EditFolder.memory) -> [String] {
        guard let stream = opendir(memory) else { return [] }
        defer { closedir(stream) }
        var found: [String] = []
        while let entry = readdir(stream) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) { place in
                place.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            guard name.hasPrefix(prefix) else { continue }
            let path = memory + "/" + name
            if isLeft(path) { found.append(path) }
        }
        return found.sorted()
    }

    private static func isLeft(_ path: String) -> Bool {
        var facts = stat()
        guard lstat(path, &facts) == 0, facts.st_mode & S_IFMT == S_IFDIR,
            facts.st_uid == geteuid()
        else { return false }
        let descriptor = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
        guard descriptor >= 0 else { return false }
        defer { close(descriptor) }
        // A folder that its owner has just removed has no links.
        return flock(descriptor, LOCK_SH | LOCK_NB) == 0 && fstat(descriptor, &facts) == 0
            && facts.st_nlink > 0
    }

    /// Returns the warning about such a folder.
    static func words(_ path: String) -> String {
        "an earlier edit left its plain content in \(path)"
    }
}
