import Glibc
import Secrets

/// A file that is rewritten in place, and read repeatedly through one descriptor.
///
/// A read takes two system calls. The file may lose its name to another one, as when a backup is
/// restored; then that file is opened instead.
final class OpenFile: Sendable {
    private let descriptor = AdaptiveMutex<Int32>(-1)

    deinit {
        descriptor.withLock { descriptor in if descriptor >= 0 { close(descriptor) } }
    }

    /// Reads from the start, as much as the file has and the buffer takes.
    ///
    /// - Returns: The number of bytes read; 0 if there is no such file.
    /// - Throws: The errors of the system, and those of `OwnerOnly`.
    func read(
        _ path: String,
        into buffer: UnsafeMutableRawBufferPointer
    ) throws(StorageError) -> Int {
        // This read runs without the lock, so that threads do not wait for each other. If the
        // descriptor is reused for another file meanwhile, its content is not a valid record.
        let known = descriptor.withLock { $0 }
        if known >= 0, Self.hasName(known),
            pread(known, buffer.baseAddress, buffer.count, 0) == buffer.count
        {
            return buffer.count
        }
        return try descriptor.withLock { descriptor throws(StorageError) in
            if descriptor >= 0 { close(descriptor) }
            descriptor = -1
            guard let found = try Self.open(path) else { return 0 }
            descriptor = found
            let count = pread(found, buffer.baseAddress, buffer.count, 0)
            guard count >= 0 else {
                throw .system(operation: "pread", path: path, code: errno)
            }
            return count
        }
    }

    /// Makes the next read open the path again, because the name may lead to another file.
    func forget() {
        descriptor.withLock { descriptor in
            if descriptor >= 0 { close(descriptor) }
            descriptor = -1
        }
    }

    private static func hasName(_ descriptor: Int32) -> Bool {
        var status = stat()
        return fstat(descriptor, &status) == 0 && status.st_nlink > 0
    }

    private static func open(_ path: String) throws(StorageError) -> Int32? {
        let found = Glibc.open(path, O_RDONLY | O_NONBLOCK | O_NOFOLLOW | O_CLOEXEC)
        guard found >= 0 else {
            if errno == ENOENT { return nil }
            throw .system(operation: "open", path: path, code: errno)
        }
        var status = stat()
        do throws(StorageError) {
            guard fstat(found, &status) == 0 else {
                throw .system(operation: "fstat", path: path, code: errno)
            }
            try OwnerOnly.check(status, of: path, is: .file)
            return found
        } catch {
            close(found)
            throw error
        }
    }
}
