import Glibc
import Secrets

/// A cheap check, by one system call, whether a path still leads to the same unchanged file.
///
/// The file stays open. Replacing it removes its name, and changing or moving it changes its times.
/// If neither happened, the path need not be resolved again.
/// - Source: open(2), fstat(2), rename(2); inode(7), "nlink" and "ctime".
final class FileWatch: Sendable {
    fileprivate struct Watched {
        let descriptor: Int32
        let stamp: StorageStamp
    }

    /// The watched files, by the index of the file.
    private let watched = AdaptiveMutex(
        [Watched?](repeating: nil, count: DeviceFile.allCases.count)
    )

    deinit {
        watched.withLock { watched in
            for one in watched { if let one { close(one.descriptor) } }
        }
    }

    /// Returns the stamp of the file at the path; nil if there is none.
    func stamp(
        of file: DeviceFile,
        at path: @autoclosure () -> String
    ) throws(StorageError) -> StorageStamp? {
        // This check runs without the lock, so that threads do not wait for each other. If the
        // descriptor is closed and reused meanwhile, the stamp differs.
        let known = watched.withLock { $0[file.index] }
        if let known, known.isInPlace { return known.stamp }
        let path = path()
        // A file that is usually missing, such as grants, takes no descriptor.
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
        // A dangling link is not a missing file.
        return lstat(path, &status) != 0 && errno == ENOENT
    }
}

extension FileWatch.Watched {
    /// Returns nil if there is no such file.
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

    /// Whether the file still has its name and is unchanged.
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
