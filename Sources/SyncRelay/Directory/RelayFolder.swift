import Glibc
import KeychainSockets

/// An open directory of a relay.
///
/// Its functions follow no symbolic links.
struct RelayFolder: ~Copyable {
    /// The path, for messages.
    let path: String
    let descriptor: Descriptor

    private init(_ opened: Int32, _ path: String) throws(RelayError) {
        guard opened >= 0 else { throw .last(path) }
        descriptor = Descriptor(opened)
        self.path = path
    }

    private static let flags = O_RDONLY | O_DIRECTORY | O_CLOEXEC

    /// Opens the directory at a path.
    init(_ path: String) throws(RelayError) {
        let opened = open(path, Self.flags)
        if opened < 0, errno == ENOTDIR { throw .refused("\(path) is no directory") }
        try self.init(opened, path)
    }

    /// Opens a subdirectory; nil if it does not exist.
    borrowing func folder(_ name: String) throws(RelayError) -> RelayFolder? {
        let opened = openat(descriptor.number, name, Self.flags | O_NOFOLLOW)
        if opened < 0, errno == ENOENT { return nil }
        return try RelayFolder(opened, path + "/" + name)
    }

    /// Opens a subdirectory; creates it durably if it does not exist.
    borrowing func folder(making name: String) throws(RelayError) -> RelayFolder {
        if let folder = try folder(name) { return folder }
        guard mkdirat(descriptor.number, name, 0o700) == 0 || errno == EEXIST else {
            throw .last(path + "/" + name)
        }
        try synchronize()
        guard let folder = try folder(name) else {
            throw .unreachable("\(path)/\(name) was removed")
        }
        return folder
    }

    /// Waits until the names in this directory are durable.
    borrowing func synchronize() throws(RelayError) {
        // Some network file systems do not support this for directories.
        guard fsync(descriptor.number) == 0 || errno == EINVAL || errno == ENOTSUP else {
            throw .last(path)
        }
    }

    /// Calls `body` with each name, and with whether it is a regular file.
    ///
    /// - Throws: `damaged` if there are more names than the limit.
    borrowing func forEachName(
        limit: Int = RelayLimit.nameCount,
        _ body: (String, _ isFile: Bool) -> Void
    ) throws(RelayError) {
        let again = openat(descriptor.number, ".", Self.flags)
        guard again >= 0, let stream = fdopendir(again) else {
            if again >= 0 { close(again) }
            throw .last(path)
        }
        defer { closedir(stream) }
        var count = 0
        errno = 0
        while let entry = readdir(stream) {
            let kind = Int32(entry.pointee.d_type)
            let name = withUnsafePointer(to: &entry.pointee.d_name) { place in
                place.withMemoryRebound(to: CChar.self, capacity: 256) {
                    String(cString: $0)
                }
            }
            if name != ".", name != ".." {
                count += 1
                guard count <= limit else {
                    throw .damaged("\(path) has more than \(limit) files")
                }
                let isUnknown = kind == Int32(DT_UNKNOWN)
                body(name, isUnknown ? isFile(name) : kind == Int32(DT_REG))
            }
            errno = 0
        }
        guard errno == 0 else { throw .last(path) }
    }

    /// Whether the name leads to a regular file, not to a link to one.
    borrowing func isFile(_ name: String) -> Bool {
        var facts = stat()
        return fstatat(descriptor.number, name, &facts, AT_SYMLINK_NOFOLLOW) == 0
            && facts.st_mode & S_IFMT == S_IFREG
    }

    /// Whether the name exists.
    borrowing func has(_ name: String) -> Bool {
        var facts = stat()
        return fstatat(descriptor.number, name, &facts, AT_SYMLINK_NOFOLLOW) == 0
    }

    /// Returns the content of a regular file; nil if it does not exist.
    ///
    /// - Throws: `damaged` if it is not a regular file, or exceeds the limit.
    borrowing func read(_ name: String, byteCountLimit: Int) throws(RelayError) -> [UInt8]? {
        let flags = O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC
        let opened = openat(descriptor.number, name, flags)
        guard opened >= 0 else {
            if errno == ENOENT { return nil }
            if errno == ELOOP { throw .damaged("\(path)/\(name) is a link") }
            throw .last("\(path)/\(name)")
        }
        let file = Descriptor(opened)
        var facts = stat()
        guard fstat(file.number, &facts) == 0 else { throw .last("\(path)/\(name)") }
        guard facts.st_mode & S_IFMT == S_IFREG else {
            throw .damaged("\(path)/\(name) is no file")
        }
        guard facts.st_size <= byteCountLimit else {
            throw .damaged("\(path)/\(name) has \(facts.st_size) bytes")
        }
        var bytes = [UInt8](repeating: 0, count: Int(facts.st_size))
        var count = 0
        while count < bytes.count {
            let more = bytes.withUnsafeMutableBytes {
                Glibc.read(file.number, $0.baseAddress.map { $0 + count }, $0.count - count)
            }
            if more < 0, errno == EINTR { continue }
            guard more >= 0 else { throw .last("\(path)/\(name)") }
            guard more > 0 else { break }
            count += more
        }
        bytes.removeLast(bytes.count - count)
        return bytes
    }

    /// Removes a directory if it is empty.
    borrowing func removeFolder(_ name: String) throws(RelayError) {
        guard
            unlinkat(descriptor.number, name, AT_REMOVEDIR) == 0 || errno == ENOENT
                || errno == ENOTEMPTY || errno == EEXIST
        else { throw .last("\(path)/\(name)") }
    }

    /// Removes a file; a missing file is not an error.
    borrowing func remove(_ name: String) throws(RelayError) {
        guard unlinkat(descriptor.number, name, 0) == 0 || errno == ENOENT else {
            throw .last("\(path)/\(name)")
        }
    }
}

extension RelayError {
    /// Returns the error for `errno`; called directly after the failed system call.
    static func last(_ path: String) -> RelayError {
        let code = errno
        let words = "\(path): \(String(cString: strerror(code)))"
        switch code {
        case EACCES, EPERM, EROFS, ENOSPC, EDQUOT, EFBIG, ENAMETOOLONG: return .refused(words)
        case ELOOP, ENOTDIR, EISDIR: return .damaged(words)
        default: return .unreachable(words)
        }
    }
}

extension RelayFolder {
    /// Creates a directory, and those above it, unless it exists.
    static func make(_ path: String) throws(RelayError) {
        guard mkdir(path, 0o700) != 0, errno != EEXIST else { return }
        guard errno == ENOENT, let slash = path.lastIndex(of: "/"), slash > path.startIndex else {
            throw .last(path)
        }
        try make(String(path[..<slash]))
        guard mkdir(path, 0o700) == 0 || errno == EEXIST else { throw .last(path) }
    }
}
