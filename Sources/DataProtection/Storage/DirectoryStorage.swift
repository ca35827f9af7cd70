import Glibc

/// Device files in one directory of one user, shared by that user's processes.
///
/// The directory has mode 0700 and the files 0600. A wider mode, another owner or a symbolic link
/// is refused and not repaired, because another account may have read or written the file.
package struct DirectoryStorage: DeviceStorage {
    /// The directory, which also contains other files with the same protection.
    package let directory: String

    private let lockWait: Duration
    private let watch = FileWatch()
    private let rewritten = OpenFile()

    /// The most bytes of a device file; real ones have a few hundred.
    static let byteCountLimit = 64 * 1024

    private static let lockName = "lock"

    /// Creates the directory and its parents with mode 0700 if they are missing, and checks it.
    ///
    /// - Parameters:
    ///   - path: The directory.
    ///   - lockWait: The time for which `withExclusiveLock` waits for another process before
    ///     `busy`.
    /// - Throws: `exposed`, `foreignOwner`, `unexpectedKind` or `system`.
    package init(path: String, lockWait: Duration = .seconds(5)) throws(StorageError) {
        self.directory = path
        self.lockWait = lockWait
        try OwnDirectory.make(path)
        try check()
    }

    /// Checks the directory and every file of the device in it.
    ///
    /// - Throws: `exposed`, `foreignOwner`, `unexpectedKind` or `system`.
    package func check() throws(StorageError) {
        try OwnerOnly.check(directory, is: .directory)
        for file in DeviceFile.allCases {
            try OwnerOnly.check(path(of: file), is: .file)
        }
    }

    /// Whether the file exists.
    package func holds(_ file: DeviceFile) -> Bool { access(path(of: file), F_OK) == 0 }

    /// Reads a file after checking the open file's owner and mode.
    package func read(_ file: DeviceFile) throws(StorageError) -> [UInt8]? {
        let folder = try openDirectory()
        do throws(StorageError) {
            let opened = try Descriptor(opening: file.rawValue, in: folder, flags: O_RDONLY)
            try OwnerOnly.check(try opened.status(), of: path(of: file), is: .file)
            return try opened.readAll(limit: Self.byteCountLimit)
        } catch {
            guard case .system("open", _, ENOENT) = error else { throw error }
            return nil
        }
    }

    /// Writes a temporary file, makes it durable, and renames it over the old one.
    package func replace(_ file: DeviceFile, with bytes: [UInt8]) throws(StorageError) {
        let folder = try openDirectory()
        let temporary = file.rawValue + ".new"
        try folder.unlink(temporary)
        try Self.write(bytes, to: temporary, in: folder)
        try folder.rename(temporary, to: file.rawValue)
        try folder.synchronize()
    }

    /// Reads through a descriptor that stays open; opens the path again if that has no content.
    package func read(
        _ file: DeviceFile,
        into buffer: UnsafeMutableRawBufferPointer
    ) throws(StorageError) -> Int {
        try rewritten.read(path(of: file), into: buffer)
    }

    /// Writes over the present bytes; creates the file if it is missing.
    package func overwrite(
        _ file: DeviceFile,
        with bytes: UnsafeRawBufferPointer
    ) throws(StorageError) {
        let folder = try openDirectory()
        do throws(StorageError) {
            let opened = try Descriptor(
                opening: file.rawValue,
                in: folder,
                flags: O_RDWR | O_CREAT
            )
            let before = try opened.status()
            try OwnerOnly.check(before, of: path(of: file), is: .file)
            if before.st_size > bytes.count { try opened.empty() }
            try opened.overwrite(bytes)
            try opened.synchronize()
            if before.st_size == 0 { try folder.synchronize() }
        } catch {
            guard Self.destroy(file, in: folder) else { throw error }
        }
    }

    /// Destroys the content of a file that could not be rewritten.
    ///
    /// It empties the file for processes that have it open, or else removes it for those that will
    /// open it.
    ///
    /// - Returns: Whether the content is gone.
    private static func destroy(_ file: DeviceFile, in folder: borrowing Descriptor) -> Bool {
        do throws(StorageError) {
            let opened = try Descriptor(opening: file.rawValue, in: folder, flags: O_WRONLY)
            try opened.empty()
            try opened.synchronize()
            return true
        } catch {
            if case .system("open", _, ENOENT) = error { return true }
        }
        return (try? folder.unlink(file.rawValue)) != nil
    }

    /// Renames, and makes the name durable.
    package func rename(_ file: DeviceFile, to target: DeviceFile) throws(StorageError) {
        let folder = try openDirectory()
        try folder.rename(file.rawValue, to: target.rawValue)
        try folder.synchronize()
    }

    /// Removes a file, and its temporary file if a crash left one.
    package func remove(_ file: DeviceFile) throws(StorageError) {
        let folder = try openDirectory()
        try folder.unlink(file.rawValue)
        try folder.unlink(file.rawValue + ".new")
        try folder.synchronize()
    }

    /// Removes the temporary files.
    ///
    /// As the keybag, a temporary one without a passcode would open everything that the passcode
    /// guards.
    package func discardReplacements() throws(StorageError) {
        let folder = try openDirectory()
        var isAny = false
        for file in DeviceFile.allCases {
            let temporary = file.rawValue + ".new"
            guard access(directory + "/" + temporary, F_OK) == 0 else { continue }
            try folder.unlink(temporary)
            isAny = true
        }
        if isAny { try folder.synchronize() }
    }

    /// Takes an advisory lock on the directory itself, which works even if it is read-only.
    package func takeAttemptTurn() throws(StorageError) -> (any AttemptTurn)? {
        let folder = try openDirectory()
        guard try folder.tryLock() else { return nil }
        return LockedDirectory(folder)
    }

    /// Makes the next read of files that are rewritten in place open them by path.
    package func reopen() { rewritten.forget() }

    /// Returns the stamp of a file; takes one system call while the file stays the same.
    package func stamp(of file: DeviceFile) throws(StorageError) -> StorageStamp? {
        try watch.stamp(of: file, at: path(of: file))
    }

    /// Runs `body` under an advisory lock on the file `lock`, which is never removed.
    package func withExclusiveLock<R: Sendable>(
        _ body: () throws(DeviceError) -> R
    ) throws(DeviceError) -> R {
        let lock = try rethrow(as: DeviceError.storage) { () throws(StorageError) in
            try Descriptor(opening: Self.lockName, in: try openDirectory(), flags: O_RDWR | O_CREAT)
        }
        try wait(for: lock)
        return try body()
    }

    /// Returns the file's full path.
    package func path(of file: DeviceFile) -> String { directory + "/" + file.rawValue }
}

extension DirectoryStorage {
    /// Opens the directory and checks the open directory, so that it cannot be swapped in between.
    private func openDirectory() throws(StorageError) -> Descriptor {
        let folder = try Descriptor(opening: directory, flags: O_RDONLY | O_DIRECTORY)
        try OwnerOnly.check(try folder.status(), of: directory, is: .directory)
        return folder
    }

    private static func write(
        _ bytes: [UInt8],
        to name: String,
        in folder: borrowing Descriptor
    ) throws(StorageError) {
        let flags = O_WRONLY | O_CREAT | O_EXCL
        let file = try Descriptor(opening: name, in: folder, flags: flags)
        try file.writeAll(bytes)
        try file.synchronize()
    }

    private func wait(for lock: borrowing Descriptor) throws(DeviceError) {
        let deadline = ContinuousClock.now + lockWait
        while true {
            let isLocked = try rethrow(as: DeviceError.storage) { () throws(StorageError) in
                try lock.tryLock()
            }
            if isLocked { return }
            guard ContinuousClock.now < deadline else {
                throw .busy(path: directory + "/" + Self.lockName)
            }
            usleep(2_000)
        }
    }
}

/// A directory whose advisory lock ends with this value.
private final class LockedDirectory: AttemptTurn {
    private let descriptor: Descriptor

    init(_ descriptor: consuming Descriptor) { self.descriptor = descriptor }

    deinit { descriptor.unlock() }
}
