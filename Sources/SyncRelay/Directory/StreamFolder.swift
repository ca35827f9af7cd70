import Glibc
import KeychainSockets

@_implementationOnly import CFileFacts

/// The directory of one stream, or of the links of an account.
struct StreamFolder: ~Copyable {
    /// The way to give a complete file its name; the first one that the file system supports is
    /// used.
    enum Naming: Sendable, CaseIterable {
        /// An unnamed file gets the name (O_TMPFILE, linkat).
        case nameless
        /// The file is renamed, unless the new name exists (renameat2).
        case renamed
        /// The file gets a second name, and loses the first.
        case linked
        /// The file is renamed after a check that the new name does not exist.
        case examined
    }

    let folder: RelayFolder

    // A program that another thread is starting inherits the lock until its `exec`.
    deinit { flock(folder.descriptor.number, LOCK_UN) }

    /// Returns the range of entries without a gap, from the first one that must exist.
    borrowing func range() throws(RelayError) -> Range<UInt64> {
        var first: UInt64 = 0
        var numbers: [UInt64] = []
        try folder.forEachName { name, isFile in
            switch EntryFile.meaning(of: name) {
            case .entry(let number) where isFile: numbers.append(number)
            case .first(let number) where isFile: first = max(first, number)
            default: break
            }
        }
        numbers.sort()
        var end = first
        for number in numbers where number >= first {
            guard number == end else { break }
            end += 1
        }
        return first..<end
    }

    /// Whether there are no entries, not even entries after a gap.
    borrowing func isEmpty() throws(RelayError) -> Bool {
        var isEmpty = true
        try folder.forEachName { name, _ in
            if case .entry = EntryFile.meaning(of: name) { isEmpty = false }
        }
        return isEmpty
    }

    /// Returns an entry; nil if it is missing, or still being copied.
    ///
    /// - Throws: `damaged` if the bytes contradict the header.
    borrowing func entry(_ number: UInt64) throws(RelayError) -> [UInt8]? {
        let name = EntryFile.name(of: number)
        let limit = EntryFile.byteCountLimit
        guard let content = try folder.read(name, byteCountLimit: limit) else { return nil }
        switch try EntryFile.state(of: content) {
        case .whole(let entry): return entry
        case .partial: return nil
        case .wrong: throw .damaged("\(folder.path)/\(name) has other bytes than were written")
        }
    }

    /// Writes a file under a name, unless the name exists.
    ///
    /// - Returns: Whether the name was free. It is not durable yet.
    borrowing func put(
        _ content: [UInt8],
        as name: String,
        _ namings: [Naming]
    ) throws(RelayError) -> Bool {
        for naming in namings {
            if let isFree = try put(content, as: name, naming) { return isFree }
        }
        throw .refused("\(folder.path): no way to put a file in its place")
    }

    /// Writes a file under a name, and replaces an existing one.
    borrowing func replace(_ name: String, with content: [UInt8]) throws(RelayError) {
        _ = try put(content, as: name, nil)
    }

    /// Writes a file under a name in one way; for nil, replaces an existing one.
    ///
    /// - Returns: Whether the name was free; nil if the file system does not support the way.
    private borrowing func put(
        _ content: [UInt8],
        as name: String,
        _ naming: Naming?
    ) throws(RelayError) -> Bool? {
        if naming == .nameless { return try putNameless(content, as: name) }
        // The lock keeps other processes from removing the unfinished file. On a file system
        // without locks, `flock` fails, and no process removes such files.
        while flock(folder.descriptor.number, LOCK_EX) != 0, errno == EINTR {}
        let unfinished = EntryFile.unfinishedName(.random(in: 0 ... .max))
        let flags = O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC
        let opened = openat(folder.descriptor.number, unfinished, flags, 0o600)
        guard opened >= 0 else { throw .last(folder.path) }
        let file = Descriptor(opened)
        // After a rename there is no unfinished name to remove.
        defer { _ = unlinkat(folder.descriptor.number, unfinished, 0) }
        try write(content, to: file)
        let isFree = try give(name, to: unfinished, naming)
        // FAT stores the position and size of a file beside its name, and writes them only with the
        // file. Without this flush, the new name could lead to no bytes after a loss of power.
        if isFree == true { try flush(file) }
        return isFree
    }

    private borrowing func putNameless(
        _ content: [UInt8],
        as name: String
    ) throws(RelayError) -> Bool? {
        let opened = file_open_unnamed(folder.descriptor.number, 0o600)
        guard opened >= 0 else {
            let isSpace = errno == ENOSPC || errno == EDQUOT || errno == EACCES || errno == EROFS
            if isSpace { throw .last(folder.path) }
            return nil
        }
        let file = Descriptor(opened)
        try write(content, to: file)
        let place = "/proc/self/fd/\(file.number)"
        let code = linkat(AT_FDCWD, place, folder.descriptor.number, name, AT_SYMLINK_FOLLOW)
        if code == 0 { return true }
        return errno == EEXIST ? false : nil
    }

    private borrowing func give(
        _ name: String,
        to unfinished: String,
        _ naming: Naming?
    ) throws(RelayError) -> Bool? {
        let directory = folder.descriptor.number
        if naming == nil || naming == .examined {
            guard naming == nil || !folder.has(name) else { return false }
            guard renameat(directory, unfinished, directory, name) == 0 else {
                throw .last("\(folder.path)/\(name)")
            }
            return true
        }
        let code =
            naming == .linked
            ? linkat(directory, unfinished, directory, name, 0)
            : file_name_new(directory, unfinished, name)
        if code == 0 { return true }
        return errno == EEXIST ? false : nil
    }

    /// Writes all bytes and waits until they are durable.
    private borrowing func write(
        _ content: [UInt8],
        to file: borrowing Descriptor
    ) throws(RelayError) {
        var count = 0
        while count < content.count {
            let more = content.withUnsafeBytes {
                Glibc.write(file.number, $0.baseAddress.map { $0 + count }, $0.count - count)
            }
            if more < 0, errno == EINTR { continue }
            guard more > 0 else { throw .last(folder.path) }
            count += more
        }
        try flush(file)
    }

    private borrowing func flush(_ file: borrowing Descriptor) throws(RelayError) {
        guard fsync(file.number) == 0 else { throw .last(folder.path) }
    }

    /// Makes an existing file durable, because the process that wrote it may have been killed
    /// earlier.
    borrowing func synchronize(_ name: String) throws(RelayError) {
        let flags = O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC
        let opened = openat(folder.descriptor.number, name, flags)
        guard opened >= 0 else { throw .last(folder.path) }
        try flush(Descriptor(opened))
    }

    /// Removes the unfinished files of killed processes, unless another local process is writing.
    ///
    /// The stream stays locked during the lifetime of this value.
    borrowing func removeUnfinished() throws(RelayError) {
        guard flock(folder.descriptor.number, LOCK_EX | LOCK_NB) == 0 else { return }
        try removeFiles { EntryFile.meaning(of: $0) == .unfinished }
    }
}

extension StreamFolder {
    /// Removes entries with smaller numbers, and earlier marks of removals.
    ///
    /// Removes the smallest number first, so readers see either the whole stream or none of it.
    borrowing func removeAll(below number: UInt64) throws(RelayError) {
        try removeFiles { name in
            switch EntryFile.meaning(of: name) {
            case .entry(let old), .first(let old): old < number
            case .unfinished, .foreign: false
            }
        }
    }

    /// Removes the files with the chosen names, in the order of their names.
    borrowing func removeFiles(_ isGone: (String) -> Bool) throws(RelayError) {
        var names: [String] = []
        try folder.forEachName { name, isFile in
            if isFile, isGone(name) { names.append(name) }
        }
        guard !names.isEmpty else { return }
        for name in names.sorted() { try folder.remove(name) }
        try folder.synchronize()
    }
}
