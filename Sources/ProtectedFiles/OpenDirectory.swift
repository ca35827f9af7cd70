import Glibc

@_implementationOnly import CFileFacts

/// An open directory and its names, even if its path changes.
package final class OpenDirectory {
    package let path: String
    let descriptor: Int32

    private init(_ descriptor: Int32, _ path: String) throws(FileFailure) {
        guard descriptor >= 0 else { throw .last("opened", path) }
        self.descriptor = descriptor
        self.path = path
    }

    deinit { close(descriptor) }

    /// Opens the directory that a path leads to.
    package convenience init(_ path: String) throws(FileFailure) {
        try self.init(Glibc.open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC), path)
    }

    /// Opens a directory in another one; a link is an error.
    package convenience init(_ name: String, in above: OpenDirectory) throws(FileFailure) {
        let flags = O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC
        try self.init(openat(above.descriptor, name, flags), above.path(of: name))
    }

    package func path(of name: String) -> String {
        (path.hasSuffix("/") ? path : path + "/") + name
    }

    /// The present path of the directory without links; nil if it cannot be determined.
    var presentPath: String? { try? ResolvedPath.of("/proc/self/fd/\(descriptor)") }

    /// Whether a keychain is in the directory.
    var hasKeychain: Bool { facts(of: "keybag") != nil && facts(of: "keychain.db") != nil }

    func device() throws(FileFailure) -> dev_t { try facts().st_dev }

    func identity() throws(FileFailure) -> FileIdentity { FileIdentity(try facts()) }

    private func facts() throws(FileFailure) -> stat {
        var facts = stat()
        guard fstat(descriptor, &facts) == 0 else { throw .last("examined", path) }
        return facts
    }

    /// Returns facts about the entry with a name, even a link; nil with `errno` if there is none.
    package func facts(of name: String) -> stat? {
        var facts = stat()
        guard fstatat(descriptor, name, &facts, AT_SYMLINK_NOFOLLOW) == 0 else { return nil }
        return facts
    }

    /// Whether another file system is mounted at a name; nil if the system does not say.
    func isMount(_ name: String) -> Bool? {
        let found = file_is_mount(descriptor, name)
        return found < 0 ? nil : found == 1
    }

    /// The names in the directory, in order.
    struct Listing {
        var names: [String] = []
        /// The names that are not UTF-8, in readable form.
        var garbled: [String] = []
    }

    func listing() throws(FileFailure) -> Listing {
        let again = openat(descriptor, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard again >= 0, let stream = fdopendir(again) else {
            let failure = FileFailure.last("read", path)
            if again >= 0 { close(again) }
            throw failure
        }
        defer { closedir(stream) }
        var listing = Listing()
        errno = 0
        while let entry = readdir(stream) {
            withUnsafePointer(to: &entry.pointee.d_name) { place in
                place.withMemoryRebound(to: CChar.self, capacity: 256) { bytes in
                    if let name = String(validatingCString: bytes) {
                        if name != ".", name != ".." { listing.names.append(name) }
                    } else {
                        listing.garbled.append(String(cString: bytes))
                    }
                }
            }
            errno = 0
        }
        guard errno == 0 else { throw .last("read", path) }
        listing.names.sort()
        listing.garbled.sort()
        return listing
    }

    /// Opens a regular file; a link is an error.
    func open(_ name: String, isWritable: Bool) throws(FileFailure) -> RawFile {
        let mode = isWritable ? O_RDWR : O_RDONLY
        let flags = mode | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK | O_NOCTTY
        let opened = openat(descriptor, name, flags)
        guard opened >= 0 else { throw .last("opened", path(of: name)) }
        let file = RawFile(opened, path(of: name))
        guard try file.facts().st_mode & S_IFMT == S_IFREG else { throw .notRegular(file.path) }
        return file
    }

    /// Creates a file; fails if the name is taken.
    func create(_ name: String, mode: UInt32) throws(FileFailure) -> RawFile {
        let flags = O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC
        let opened = openat(descriptor, name, flags, mode)
        guard opened >= 0 else { throw .last("created", path(of: name)) }
        let file = RawFile(opened, path(of: name))
        // The mask of the process may have removed rights from the file.
        try file.keep(mode_t(mode))
        return file
    }

    /// Removes a file that was created but not used.
    ///
    /// If its name cannot be removed, its content is deleted. A file that has another name by now
    /// stays.
    func discard(_ file: RawFile, _ name: String) {
        guard (try? names(file, name)) == true, !unlink(name),
            (try? file.facts())?.st_nlink == 1
        else { return }
        try? file.truncate(to: 0)
    }

    /// Whether the name is that of a file, and not of a link to it.
    func names(_ file: RawFile, _ name: String) throws(FileFailure) -> Bool {
        guard let named = facts(of: name) else { return false }
        return FileIdentity(named) == FileIdentity(try file.facts())
    }

    /// Renames a file.
    func rename(_ name: String, to other: String) -> Bool {
        renameat(descriptor, name, descriptor, other) == 0
    }

    /// Renames a file if the other name is free; fails with EEXIST otherwise.
    func rename(_ name: String, toFree other: String) -> Bool {
        if file_name_new(descriptor, name, other) == 0 { return true }
        guard errno == EINVAL || errno == ENOSYS else { return false }
        // The file system cannot do it in one call.
        if linkat(descriptor, name, descriptor, other, 0) == 0 { return unlink(name) }
        guard errno != EEXIST else { return false }
        // The name is that of a directory, or the file system has no hard links.
        guard facts(of: other) == nil else {
            errno = EEXIST
            return false
        }
        return rename(name, to: other)
    }

    /// Exchanges the names of two files; EINVAL or ENOSYS if the system cannot.
    func exchange(_ name: String, _ other: String) -> Bool {
        file_exchange(descriptor, name, other) == 0
    }

    func unlink(_ name: String) -> Bool { unlinkat(descriptor, name, 0) == 0 }

    /// Waits until the names are durable.
    func synchronize() throws(FileFailure) {
        // A file system that answers EINVAL does not support this.
        guard fsync(descriptor) == 0 || errno == EINVAL else { throw .last("written", path) }
    }
}
