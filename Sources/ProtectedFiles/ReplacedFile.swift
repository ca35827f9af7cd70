import Glibc

@_implementationOnly import CFileFacts

/// What a new file is to replace, as it was when it was opened; it stays open and locked.
///
/// It gives its name to a new file only while it is that very file, unchanged. Whoever saved to the
/// name meanwhile, by a rename or in place, loses nothing. What saves in the very moment between
/// that look and the rename is lost: the system has no call for both.
package final class ReplacedFile {
    package let path: String
    /// nil where there is nothing, or a plain file.
    package let container: FileContainer?
    /// The open file; nil where there is nothing.
    let file: RawFile?
    private let before: stat?

    /// Takes over a file that is open, as it is now.
    private init(_ path: String, _ container: FileContainer?, _ file: RawFile?) throws(FileFailure)
    {
        self.path = path
        self.container = container
        self.file = file
        let facts = try file?.facts()
        before = facts
        guard try file?.isNamed(path) != false else { throw .busy(path) }
    }

    /// Opens what has the name: a protected file, a plain one, or nothing.
    ///
    /// - Throws: as `FileContainer.open`.
    package convenience init(_ path: String, _ source: FileKeySource) throws(FileFailure) {
        let container = try FileContainer.replaced(path, source)
        if let container {
            try self.init(container)
            return
        }
        do throws(FileFailure) { try self.init(plain: path) } catch {
            guard case .system(_, _, ENOENT) = error else { throw error }
            try self.init(path, nil, nil)
        }
    }

    /// Replaces a protected file that is open for writing.
    package convenience init(_ container: FileContainer) throws(FileFailure) {
        try self.init(container.path, container, container.file)
    }

    /// Opens a plain file.
    ///
    /// - Throws: `busy` if another program has it open; `system`.
    convenience init(plain path: String) throws(FileFailure) {
        let file = try RawFile(opening: path, isWritable: false)
        try file.lock(exclusively: true)
        // One that somebody protected since would lose its class.
        guard !FileContainer.isProtected(path) else { throw .busy(path) }
        try self.init(path, nil, file)
    }

    /// What the system said of it; nil where there is nothing.
    var facts: stat? { before }
    package var byteCount: Int? { container?.byteCount ?? before.map { Int($0.st_size) } }

    /// Refuses a file with other names, which would keep the old content.
    func requireOneName(_ verb: String) throws(FileFailure) {
        guard (before?.st_nlink ?? 1) == 1 else {
            throw .system(path, verb: "\(verb) while it has other names", code: EMLINK)
        }
    }

    /// Gives the name to the file in the making.
    ///
    /// - Throws: `busy` if the name no longer leads to this file, or the file has changed.
    func giveName(to temporary: String) throws(FileFailure) {
        guard let file, let before else { return try nameNew(temporary) }
        let now = try file.facts()
        guard try file.isNamed(path), now.isUnchanged(since: before) else { throw .busy(path) }
        guard rename(temporary, path) == 0 else { throw .last("replaced", path) }
    }

    private func nameNew(_ temporary: String) throws(FileFailure) {
        guard file_name_new(temporary, path) != 0 else { return }
        if errno == EEXIST { throw .busy(path) }
        // A file system that cannot do it in one call; a link is nearly as good.
        guard errno == EINVAL || errno == ENOSYS else { throw .last("created", path) }
        guard link(temporary, path) == 0 else {
            throw errno == EEXIST ? .busy(path) : .last("created", path)
        }
        unlink(temporary)
    }
}

extension stat {
    /// Whether the content, the rights and the names are the same ones.
    fileprivate func isUnchanged(since before: stat) -> Bool {
        st_dev == before.st_dev && st_ino == before.st_ino && st_size == before.st_size
            && st_nlink == before.st_nlink && st_mtim.isEqual(to: before.st_mtim)
            // A program that sets the date back, as rsync does, cannot set this one.
            && st_ctim.isEqual(to: before.st_ctim)
    }
}

extension timespec {
    fileprivate func isEqual(to other: timespec) -> Bool {
        tv_sec == other.tv_sec && tv_nsec == other.tv_nsec
    }
}

/// Paths as the system sees them.
package enum ResolvedPath {
    /// The path without links.
    ///
    /// - Throws: `system`: ENOENT if nothing is there; EILSEQ if it is no UTF-8, so that no other
    ///   file can be taken for it.
    package static func of(_ path: String) throws(FileFailure) -> String {
        guard let resolved = realpath(path, nil) else { throw .last("opened", path) }
        defer { free(resolved) }
        guard let exact = String(validatingCString: resolved) else {
            throw .system(path, verb: "opened", code: EILSEQ)
        }
        return exact
    }
}
