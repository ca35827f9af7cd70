import Glibc
import Secrets

/// Tells at the price of one cheap system call whether a path still leads to the file it led to.
///
/// The file stays open. Whoever replaces it takes away its name, and whoever changes or moves it
/// changes its times: while neither happened, the path need not be walked again.
/// - Source: open(2), fstat(2), rename(2); inode(7), "nlink" and "ctime".
final class FileWatch: Sendable {
    fileprivate struct Watched {
        let descriptor: Int32
        let stamp: StorageStamp
    }

    /// By the file's place.
    private let watched = AdaptiveMutex(
        [Watched?](repeating: nil, count: DeviceFile.allCases.count)
    )

    deinit {
        watched.withLock { watched in
            for one in watched { if let one { close(one.descriptor) } }
        }
    }

    /// The stamp of what is at the path now; nil if there is nothing.
    func stamp(
        of file: DeviceFile,
        at path: @autoclosure () -> String
    ) throws(StorageError) -> StorageStamp? {
        // Asked without the lock, so that threads do not wait for one another's calls. Should the
        // descriptor be closed meanwhile and its number given to another file, the stamp differs.
        let known = watched.withLock { $0[file.index] }
        if let known, known.isInPlace { return known.stamp }
        let path = path()
        // A file that is mostly absent, as grants are, costs no descriptor.
        if known == nil, Self.isAbsent(path) { return nil }
        return try watched.withLock { watched throws(StorageError) in
            if let known = watched[file.index] {
                if known.isInPlace { return known.stamp }
                close(known.descriptor)
                watched[file.index] = nil
            }
            guard let found = try Watched(opening: path) else { return nil }
            watched[file.index] = found
            return found.stamp
        }
    }

    private static func isAbsent(_ path: String) -> Bool {
        var status = stat()
        // A link that leads nowhere is not absent.
        return lstat(path, &status) != 0 && errno == ENOENT
    }
}

extension FileWatch.Watched {
    /// nil if there is no such file.
    fileprivate init?(opening path: String) throws(StorageError) {
        let descriptor = open(path, O_RDONLY | O_NONBLOCK | O_NOFOLLOW | O_CLOEXEC)
        guard descriptor >= 0 else {
            if errno == ENOENT { return nil }
            throw .system(operation: "open", path: path, code: errno)
        }
        guard let status = Self.status(of: descriptor) else {
            let code = errno
            close(descriptor)
            throw .system(operation: "fstat", path: path, code: code)
        }
        self.init(descriptor: descriptor, stamp: StorageStamp(status))
    }

    /// Whether the file has its name and has not been touched.
    fileprivate var isInPlace: Bool {
        guard let status = Self.status(of: descriptor), status.st_nlink > 0 else { return false }
        return StorageStamp(status) == stamp
    }

    private static func status(of descriptor: Int32) -> stat? {
        var status = stat()
        return fstat(descriptor, &status) == 0 ? status : nil
    }
}

extension StorageStamp {
    fileprivate init(_ status: stat) {
        self.init(
            device: UInt64(status.st_dev),
            inode: UInt64(status.st_ino),
            contentTime: status.st_mtim.nanoseconds,
            statusTime: status.st_ctim.nanoseconds
        )
    }
}

extension timespec {
    fileprivate var nanoseconds: Int64 { Int64(tv_sec) &* 1_000_000_000 &+ Int64(tv_nsec) }
}
