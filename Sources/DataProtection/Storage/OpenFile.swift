import Glibc
import Secrets

/// A file that is read again and again through one descriptor: for a file that is rewritten in
/// place, this tells what is in it now at the price of two system calls.
///
/// The file may also lose its name to another one, as when a backup is put back: it is then that
/// one which is rewritten.
final class OpenFile: Sendable {
    private let descriptor = AdaptiveMutex<Int32>(-1)

    deinit {
        descriptor.withLock { descriptor in if descriptor >= 0 { close(descriptor) } }
    }

    /// Reads from the start, as much as there is and as there is room for.
    ///
    /// - Returns: How many bytes; 0 if there is no such file.
    /// - Throws: What the system reports, and what is wrong with the file.
    func read(
        _ path: String,
        into buffer: UnsafeMutableRawBufferPointer
    ) throws(StorageError) -> Int {
        // Asked without the lock, so that threads do not wait for one another's calls. Should the
        // number be given to another file meanwhile, that one's content is no record.
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

    /// Opens the path again at the next reading: the name may lead to another file by now.
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
