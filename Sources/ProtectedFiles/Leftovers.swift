import Glibc
import Synchronization

/// Files in the making, and what is left of them when their process is killed.
///
/// One is called `.NAME.NUMBER.protecting`, for the file NAME. Its process has it locked. One that
/// nobody has locked is a leftover.
package enum Leftovers {
    /// What is being done.
    enum Work: String, CaseIterable {
        /// The file has encrypted content.
        case protecting
        /// The file has plain content.
        case unprotecting
        /// The file is about to go.
        case removing
    }

    /// The longest name that leaves room for the rest, in bytes.
    private static let nameLimit = 200

    /// The path of a new file beside the one that it is for.
    static func name(for path: String, _ work: Work) -> String {
        var name = path.split(separator: "/").last.map(String.init) ?? "file"
        while name.utf8.count > nameLimit { name.removeLast() }
        let number = UInt64.random(in: 0 ... .max)
        let directory = RawFile.directory(of: path)
        return (directory == "/" ? "" : directory) + "/.\(name).\(number).\(work.rawValue)"
    }

    private struct Directory: Hashable {
        let device: dev_t
        let number: ino_t
    }

    private static let swept = Mutex<Set<Directory>>([])

    /// Removes leftovers from a directory, once in the life of the process.
    static func sweepOnce(_ directory: String) {
        var facts = stat()
        guard stat(directory, &facts) == 0 else { return }
        let place = Directory(device: facts.st_dev, number: facts.st_ino)
        if swept.withLock({ $0.insert(place).inserted }) { sweep(directory) }
    }

    /// Removes the leftovers of this account.
    static func sweep(_ directory: String) {
        guard let stream = opendir(directory) else { return }
        defer { closedir(stream) }
        while let entry = readdir(stream) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) { place in
                place.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            if isOne(name) { removeIfLeft(directory + "/" + name) }
        }
    }

    /// Whether a file in the making could be called so.
    package static func isOne(_ name: String) -> Bool {
        let parts = name.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count >= 3, parts[0].isEmpty, let work = parts.last,
            Work(rawValue: String(work)) != nil
        else { return false }
        return UInt64(parts[parts.count - 2]) != nil
    }

    private static func removeIfLeft(_ path: String) {
        let flags = O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC
        let descriptor = open(path, flags)
        guard descriptor >= 0 else { return }
        defer { close(descriptor) }
        var facts = stat()
        // An empty one may be so new that its process has yet to lock it.
        guard fstat(descriptor, &facts) == 0, facts.st_mode & S_IFMT == S_IFREG, facts.st_size > 0,
            facts.st_uid == geteuid() || geteuid() == 0,
            flock(descriptor, LOCK_EX | LOCK_NB) == 0
        else { return }
        unlink(path)
    }
}
