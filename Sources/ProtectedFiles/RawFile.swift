import Glibc

@_implementationOnly import CFileFacts

/// An open file as the system sees it; closed when the value's life ends.
final class RawFile {
    let path: String
    private(set) var descriptor: Int32

    /// Takes over a descriptor.
    init(_ descriptor: Int32, _ path: String) {
        self.descriptor = descriptor
        self.path = path
    }

    deinit { close() }

    /// Closes the file and releases its lock; later calls fail.
    func close() {
        guard descriptor >= 0 else { return }
        // A program that another thread starts at this moment has the lock, too, until it runs.
        flock(descriptor, LOCK_UN)
        Glibc.close(descriptor)
        descriptor = -1
    }

    /// Opens a regular file that exists.
    convenience init(opening path: String, isWritable: Bool) throws(FileFailure) {
        let mode = isWritable ? O_RDWR : O_RDONLY
        let opened = open(path, mode | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
        guard opened >= 0 else { throw .last("opened", path) }
        self.init(opened, path)
        guard try facts().st_mode & S_IFMT == S_IFREG else { throw .notRegular(path) }
    }

    func facts() throws(FileFailure) -> stat {
        var facts = stat()
        guard fstat(descriptor, &facts) == 0 else { throw .last("examined", path) }
        return facts
    }

    /// Whether the path still leads to this file.
    func isNamed(_ path: String) throws(FileFailure) -> Bool {
        let own = try facts()
        var named = stat()
        guard stat(path, &named) == 0 else { return false }
        return named.st_dev == own.st_dev && named.st_ino == own.st_ino
    }

    func byteCount() throws(FileFailure) -> Int { Int(try facts().st_size) }

    /// Takes the lock of the file until it is closed, or fails at once.
    func lock(exclusively: Bool) throws(FileFailure) {
        let kind = (exclusively ? LOCK_EX : LOCK_SH) | LOCK_NB
        while flock(descriptor, kind) != 0 {
            if errno == EWOULDBLOCK { throw .busy(path) }
            guard errno == EINTR else { throw .last("locked", path) }
        }
    }

    /// Reads until the buffer is full or the file ends.
    func read(_ buffer: UnsafeMutableRawBufferPointer, at offset: Int) throws(FileFailure) -> Int {
        var done = 0
        while done < buffer.count {
            let start = buffer.baseAddress?.advanced(by: done)
            let count = pread(descriptor, start, buffer.count - done, off_t(offset + done))
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw .last("read", path) }
            guard count > 0 else { break }
            done += count
        }
        return done
    }

    func write(_ bytes: UnsafeRawBufferPointer, at offset: Int) throws(FileFailure) {
        var done = 0
        while done < bytes.count {
            let start = bytes.baseAddress?.advanced(by: done)
            let count = pwrite(descriptor, start, bytes.count - done, off_t(offset + done))
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw .last("written", path) }
            done += count
        }
    }

    func write(_ bytes: [UInt8], at offset: Int) throws(FileFailure) {
        try bytes.withRawBytes { bytes throws(FileFailure) in try write(bytes, at: offset) }
    }

    /// Reads at most a number of bytes.
    func bytes(_ count: Int, at offset: Int) throws(FileFailure) -> [UInt8] {
        var found = [UInt8](repeating: 0, count: count)
        let done = try found.withMutableRawBytes { buffer throws(FileFailure) in
            try read(buffer, at: offset)
        }
        found.removeLast(count - done)
        return found
    }

    func truncate(to count: Int) throws(FileFailure) {
        while ftruncate(descriptor, off_t(count)) != 0 {
            guard errno == EINTR else { throw .last("written", path) }
        }
    }

    /// Returns the first offset from `offset` on that may have content; nil if only holes follow.
    func nextData(from offset: Int) -> Int? {
        let found = file_next_data(descriptor, Int64(offset))
        guard found < 0 else { return Int(found) }
        return errno == ENXIO ? nil : offset
    }

    /// Waits until content and size are durable.
    func synchronize() throws(FileFailure) {
        while fdatasync(descriptor) != 0 {
            guard errno == EINTR else { throw .last("written", path) }
        }
    }
}
