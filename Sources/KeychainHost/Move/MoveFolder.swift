import Cryptography
import DataProtection
import Glibc
import KeychainEngine
import KeychainMessages
import KeychainModel

/// File operations of a move.
package enum MoveFolder {
    package static func isPresent(_ path: String) -> Bool {
        var status = stat()
        return lstat(path, &status) == 0
    }

    /// Creates a directory to which only this account has access.
    package static func make(_ path: String) throws(KeychainError) {
        guard mkdir(path, 0o700) == 0 else { throw .failed("mkdir", path) }
    }

    /// Renames a file or directory within its parent, and makes the name durable.
    ///
    /// It replaces nothing of that name except an empty directory.
    package static func rename(_ path: String, to name: String) throws(KeychainError) {
        rmdir(name)
        guard !isPresent(name) else { throw KeychainError(.io, "\(name) exists already") }
        try DurableRename.move(path, to: name)
    }

    /// Removes a directory and the files in it, but no directories in it.
    package static func remove(_ path: String) throws(KeychainError) {
        guard isPresent(path) else { return }
        // `O_NOFOLLOW` protects the target of a link that replaces the directory.
        let directory = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
        guard directory >= 0 else { throw .failed("open", path) }
        defer { close(directory) }
        for name in try names(in: "/proc/self/fd/\(directory)") {
            guard unlinkat(directory, name, 0) == 0 || errno == ENOENT else {
                throw .failed("unlink", path + "/" + name)
            }
        }
        guard rmdir(path) == 0 else { throw .failed("rmdir", path) }
    }

    /// Overwrites the keys of a keychain, and removes its directory with its log.
    ///
    /// The keybag goes first, so that the rest after a crash is not a keychain.
    package static func removeKeychain(_ path: String) throws(KeychainError) {
        let folder = try OpenFolder(path)
        try folder.destroy("keybag")
        try folder.destroy("secure-element")
        try remove(path + "/log")
        try remove(path)
    }

    /// Returns the total size of the regular files in a directory.
    package static func byteCount(of path: String) throws(KeychainError) -> UInt64 {
        try names(in: path).reduce(0) { total, name in
            var status = stat()
            guard lstat(path + "/" + name, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
                return total
            }
            return total + UInt64(clamping: status.st_size)
        }
    }

    /// Returns the names in a directory, sorted.
    package static func names(in path: String) throws(KeychainError) -> [String] {
        guard let stream = opendir(path) else { throw .failed("opendir", path) }
        defer { closedir(stream) }
        var names: [String] = []
        while let entry = readdir(stream) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) { name in
                name.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            if name != ".", name != ".." { names.append(name) }
        }
        return names.sorted()
    }

    /// Makes the names in a directory durable.
    package static func synchronize(_ path: String) throws(KeychainError) {
        let descriptor = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { throw .failed("open", path) }
        defer { close(descriptor) }
        guard fsync(descriptor) == 0 else { throw .failed("fsync", path) }
    }

    /// Returns an unused name: the wanted one, or one with a number appended.
    package static func freeName(_ wanted: String) -> String {
        var name = wanted
        var number = 2
        while isPresent(name) {
            name = "\(wanted)-\(number)"
            number += 1
        }
        return name
    }

    /// Returns the name of the keybag in a directory.
    package static func keybagName(in directory: String) -> [UInt8]? {
        keybagName(at: directory + "/keybag")
    }

    /// Returns the 16 bytes that name a keybag; nil if the file is not one.
    package static func keybagName(at path: String) -> [UInt8]? {
        guard let file = try? MovingFileReader(path), let bytes = try? file.read(at: 0),
            bytes.count >= 28, bytes.starts(with: "swkeybag".utf8)
        else { return nil }
        return Array(bytes[12..<28])
    }
}

/// A file that is read for a move.
///
/// It stays open as long as the object, because closing any descriptor of a database would release
/// SQLite's locks in this process.
/// - Source: fcntl(2), "Advisory record locking".
package final class MovingFileReader: Sendable {
    package let path: String
    private let descriptor: Int32

    package init(_ path: String) throws(KeychainError) {
        let found = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
        guard found >= 0 else { throw .failed("open", path) }
        descriptor = found
        self.path = path
        var status = stat()
        guard fstat(found, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            throw KeychainError(.notAvailable, "\(path) is not a regular file")
        }
    }

    deinit { close(descriptor) }

    /// Returns the next bytes, at most a portion; an empty array at the end.
    package func read(at offset: UInt64) throws(KeychainError) -> [UInt8] {
        guard let place = off_t(exactly: offset) else {
            throw KeychainError(.param, "the offset is behind any file's end")
        }
        var bytes = [UInt8](repeating: 0, count: MovingFile.portionByteCount)
        while true {
            let count = pread(descriptor, &bytes, bytes.count, place)
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw .failed("read", path) }
            bytes.removeLast(bytes.count - count)
            return bytes
        }
    }

    /// Returns the file's description, with its size and digest.
    package func described(as name: String) throws(KeychainError) -> MovedFile {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw .failed("fstat", path) }
        let count = Int(status.st_size)
        guard count > 0 else { throw KeychainError(.notAvailable, "\(path) is empty") }
        guard let start = mmap(nil, count, PROT_READ, MAP_PRIVATE, descriptor, 0),
            start != MAP_FAILED
        else { throw .failed("mmap", path) }
        defer { munmap(start, count) }
        let digest: [UInt8]
        do throws(CryptographyError) {
            digest = try Digest.sha256(UnsafeRawBufferPointer(start: start, count: count))
        } catch { throw KeychainError(.internalComponent, "\(path) cannot be digested: \(error)") }
        return MovedFile(name: name, byteCount: UInt64(count), digest: digest)
    }
}

/// A file that arrives in portions.
package final class MovingFileWriter: Sendable {
    private let path: String
    private let descriptor: Int32

    /// Creates the file, or continues it.
    package init(_ path: String) throws(KeychainError) {
        let found = open(path, O_WRONLY | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0o600)
        guard found >= 0 else { throw .failed("open", path) }
        descriptor = found
        self.path = path
    }

    deinit { close(descriptor) }

    /// Appends bytes to the file.
    ///
    /// - Throws: `errSecParam` unless the offset is the file's size, and for a file that is too
    ///   large.
    package func append(
        _ bytes: [UInt8],
        at offset: UInt64,
        limit: UInt64
    ) throws(KeychainError) {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw .failed("fstat", path) }
        guard let place = off_t(exactly: offset), place == status.st_size else {
            throw KeychainError(.param, "the bytes do not continue \(path)")
        }
        guard bytes.count <= MovingFile.portionByteCount, offset <= limit,
            UInt64(bytes.count) <= limit - offset
        else { throw KeychainError(.dataTooLarge, "\(path) is too large to be moved") }
        var written = 0
        while written < bytes.count {
            let count = bytes.withUnsafeBytes { buffer in
                pwrite(
                    descriptor,
                    buffer.baseAddress.map { $0 + written },
                    buffer.count - written,
                    place + off_t(written)
                )
            }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw .failed("write", path) }
            written += count
        }
    }

    package func synchronize() throws(KeychainError) {
        guard fsync(descriptor) == 0 else { throw .failed("fsync", path) }
    }
}
