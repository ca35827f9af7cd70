import Glibc

@_implementationOnly import CFileFacts

/// A file that a new one is to replace, in the state in which it was opened; it stays open and
/// locked.
///
/// It passes its name to a new file only while it is that very file, unchanged. A program that
/// meanwhile saved under the name, by a rename or in place, loses nothing. In local file systems
/// that includes the very moment of renaming: the files exchange their names, and the replaced one
/// is then checked.
package final class ReplacedFile {
    package let place: FilePlace
    /// The container; nil for a plain file or none.
    package let container: FileContainer?
    /// The open file; nil if there is none.
    let file: RawFile?
    /// The system's facts about it; nil if there is none.
    let facts: stat?
    /// A function that runs between the last check and the renaming, for tests.
    var atLastLook: () -> Void = {}

    package var path: String { place.path }
    package var byteCount: Int? { container?.byteCount ?? facts.map { Int($0.st_size) } }

    /// Takes over an open file in its present state.
    private init(
        _ place: FilePlace,
        _ container: FileContainer?,
        _ file: RawFile?
    ) throws(FileFailure) {
        self.place = place
        self.container = container
        self.file = file
        facts = try file?.facts()
        guard let file else { return }
        guard try place.names(file) else { throw .busy(place.path) }
        guard container == nil else { return }
        _ = try hold(file)
        _ = file_release(file.descriptor)
    }

    /// Opens the file with the name: a protected one, a plain one, or none; a link is an error.
    ///
    /// - Throws: The same errors as `FileContainer.open`.
    package convenience init(_ path: String, _ source: FileKeySource) throws(FileFailure) {
        let place = try FilePlace(path)
        if let container = try FileContainer.replaced(place, source) {
            try self.init(place, container, container.file)
            return
        }
        try self.init(place, nil, Self.plainOrNone(place))
    }

    /// Opens a protected file for writing.
    ///
    /// - Throws: The same errors as `FileContainer.open`.
    package convenience init(
        protected path: String,
        _ source: FileKeySource
    ) throws(FileFailure) {
        let place = try FilePlace(path)
        let container = try FileContainer.open(place, isWritable: true, source)
        try self.init(place, container, container.file)
    }

    /// Opens a plain file.
    ///
    /// - Throws: `busy` if another program has it open for writing; `system`.
    convenience init(plain path: String) throws(FileFailure) {
        let place = try FilePlace(path)
        try self.init(place, nil, Self.plain(place))
    }

    /// Opens a plain file, or none if there is none; a link is an error.
    ///
    /// - Throws: `busy` if another program has it open for writing; `system`.
    convenience init(plainOrNone path: String) throws(FileFailure) {
        let place = try FilePlace(path)
        try self.init(place, nil, Self.plainOrNone(place))
    }

    private static func plainOrNone(_ place: FilePlace) throws(FileFailure) -> RawFile? {
        do throws(FileFailure) { return try plain(place) } catch {
            guard case .system(_, _, ENOENT) = error else { throw error }
            return nil
        }
    }

    private static func plain(_ place: FilePlace) throws(FileFailure) -> RawFile {
        let file = try place.open(isWritable: false)
        try file.lock(exclusively: true)
        try waitForDates(of: file)
        // A file that was protected meanwhile would lose its class.
        guard try !FileContainer.isProtected(file) else { throw .busy(place.path) }
        return file
    }

    /// Waits until each change gives the file another date, on file systems whose dates have only
    /// seconds.
    private static func waitForDates(of file: RawFile) throws(FileFailure) {
        while true {
            let changed = try file.facts().st_ctim
            let age = time(nil) - changed.tv_sec
            guard changed.tv_nsec == 0, (0...coarsestDate).contains(age) else { return }
            usleep(100_000)
        }
    }

    /// The largest step between dates of a file system in seconds; FAT has it.
    private static let coarsestDate = 2

    /// Throws if the file has other names, which would keep the old content.
    package func requireOneName(_ verb: String) throws(FileFailure) {
        guard (facts?.st_nlink ?? 1) == 1 else {
            throw .system(path, verb: "\(verb) while it has other names", code: EMLINK)
        }
    }

    /// Prevents other programs from opening a plain file for writing, if the file system can.
    ///
    /// A program that already has it open would continue to write to a file without a name.
    ///
    /// - Returns: Whether they are prevented.
    /// - Throws: `busy` if a program has it open for writing.
    private func hold(_ file: RawFile) throws(FileFailure) -> Bool {
        guard file_hold(file.descriptor) != 0 else { return true }
        guard errno == EAGAIN else { return false }
        throw .busy(path)
    }
}

// The transfer of the name to the new file.
extension ReplacedFile {
    /// Passes the name to the file in the making.
    ///
    /// - Parameters:
    ///   - temporary: The name of the file in the making; for a moment the replaced file has it.
    ///   - isLeftover: Whether that name makes a file a leftover after a crash, without a mark.
    /// - Throws: `busy` if the name no longer leads to this file, or the file has changed, or a
    ///   program is about to write to it.
    func giveName(to temporary: String, isLeftover: Bool = false) throws(FileFailure) {
        guard let file, let facts else { return try nameNew(temporary) }
        let isHeld = container == nil ? try hold(file) : false
        defer { if container == nil { _ = file_release(file.descriptor) } }
        guard try place.names(file), try file.facts().isUnchanged(since: facts) else {
            throw .busy(path)
        }
        atLastLook()
        // After a crash the old file is a leftover like any other. A file with the name of a
        // leftover must never be mistaken for one.
        guard !Leftovers.isOne(place.name), isLeftover || file.begin() else {
            return try rename(temporary)
        }
        guard place.directory.exchange(temporary, place.name) else {
            let code = errno
            file.finish()
            if code == ENOENT { throw .busy(path) }
            guard code == EINVAL || code == ENOSYS else {
                throw .system(path, verb: "replaced", code: code)
            }
            return try rename(temporary)
        }
        guard try place.directory.names(file, temporary),
            try file.facts().hasSameContent(as: facts),
            // Whoever waits to write has opened this file by its name already.
            !isHeld || file_is_held(file.descriptor) != 0
        else { throw putBack(temporary, file) }
        guard place.directory.unlink(temporary) else {
            throw .last("removed", place.directory.path(of: temporary))
        }
    }

    private func rename(_ temporary: String) throws(FileFailure) {
        guard place.directory.rename(temporary, to: place.name) else {
            throw .last("replaced", path)
        }
    }

    /// - Returns: The failure.
    private func putBack(_ temporary: String, _ file: RawFile) -> FileFailure {
        file.finish()
        guard place.directory.exchange(temporary, place.name) else {
            return .last("replaced, and what had its name is called \(temporary) now", path)
        }
        return .busy(path)
    }

    private func nameNew(_ temporary: String) throws(FileFailure) {
        guard !place.directory.rename(temporary, toFree: place.name) else { return }
        throw errno == EEXIST ? .busy(path) : .last("created", path)
    }
}

extension stat {
    /// Whether content, rights and names are unchanged.
    fileprivate func isUnchanged(since before: stat) -> Bool {
        // A program that sets the date back, as rsync does, cannot set this one.
        hasSameContent(as: before) && st_ctim.isEqual(to: before.st_ctim)
    }

    fileprivate func hasSameContent(as before: stat) -> Bool {
        st_dev == before.st_dev && st_ino == before.st_ino && st_size == before.st_size
            && st_nlink == before.st_nlink && st_mtim.isEqual(to: before.st_mtim)
    }
}

extension timespec {
    fileprivate func isEqual(to other: timespec) -> Bool {
        tv_sec == other.tv_sec && tv_nsec == other.tv_nsec
    }
}
