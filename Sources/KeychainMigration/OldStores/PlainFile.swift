import Foundation

/// A file with plain text, which is read without following links and replaced as a whole.
///
/// Reading fails for a symbolic link, for anything but a regular file, for another user's file, and
/// for a file in a read-only folder. Such files could not be cleaned up, or are not the user's.
///
/// ```swift
/// let old = JSONSource(file: PlainFile(URL(fileURLWithPath: "settings.json")))
/// ```
public struct PlainFile: Sendable {
    /// The location of the file.
    public let url: URL
    /// The user who must own the file.
    private let owner: uid_t

    /// Creates a file that must belong to a user, by default the current one.
    public init(_ url: URL, owner: UInt32 = geteuid()) {
        self.url = url
        self.owner = owner
    }

    /// The name of the file in failures.
    public var name: String { url.lastPathComponent }

    /// Returns the bytes of the file, or nil if there is no file.
    ///
    /// - Throws: ``SourceFailure``.
    public func read() throws(SourceFailure) -> Data? { try contents() }

    private func contents() throws(SourceFailure) -> Data? {
        let descriptor = open(url.path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
        guard descriptor >= 0 else {
            switch errno {
            case ENOENT: return nil
            case ELOOP: throw SourceFailure(.symbolicLink, name)
            default: throw SourceFailure(.unreadable, name)
            }
        }
        let handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
        defer { try? handle.close() }
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw SourceFailure(.unreadable, name) }
        guard status.st_mode & S_IFMT == S_IFREG else { throw SourceFailure(.notAFile, name) }
        guard status.st_uid == owner else { throw SourceFailure(.foreignOwner, name) }
        try requireChangeableFolder()
        do {
            return try handle.readToEnd() ?? Data()
        } catch {
            throw SourceFailure(.unreadable, name)
        }
    }

    /// Refuses a folder without write permission, even for root.
    private func requireChangeableFolder() throws(SourceFailure) {
        let folder = url.deletingLastPathComponent().path
        var status = stat()
        guard stat(folder, &status) == 0, status.st_mode & 0o222 != 0, access(folder, W_OK) == 0
        else { throw SourceFailure(.readOnlyFolder, name) }
    }

    /// Replaces the file as a whole: a reader sees the old bytes or the new ones.
    ///
    /// The file keeps its mode; a new file gets `mode`.
    ///
    /// - Throws: ``SourceFailure``.
    public func replace(with bytes: Data, mode: UInt32 = 0o600) throws(SourceFailure) {
        try replace(with: bytes, mode: mode, limit: 0o7777) { _ in true }
    }

    /// Replaces the file as a whole, unless it has changed since it was read.
    ///
    /// - Parameters:
    ///   - bytes: The new content.
    ///   - mode: The mode of a new file.
    ///   - limit: The rights that an existing file keeps at most.
    ///   - known: The content that was read earlier; nil if there was no file.
    /// - Throws: `SourceFailure.changed` if the file now has other content; `SourceFailure.inUse`
    ///   if another program has it open for writing, or changes it at this moment.
    package func replace(
        with bytes: Data,
        mode: UInt32 = 0o600,
        limit: UInt32 = 0o7777,
        ifStill known: Data?
    ) throws(SourceFailure) {
        try replace(with: bytes, mode: mode, limit: limit) { $0 == known }
    }

    /// Replaces the file if its bytes, which are read as late as possible, are as expected.
    private func replace(
        with bytes: Data,
        mode: UInt32,
        limit: UInt32,
        if isExpected: (Data?) -> Bool
    ) throws(SourceFailure) {
        // Refuses what is not the user's.
        _ = try contents()
        removeLeftDrafts()
        let draft = draftPrefix + UUID().uuidString
        guard try rewrite(bytes, draft, mode: mode, limit: limit, if: isExpected) else {
            throw SourceFailure(.changed, name)
        }
    }

    /// The prefix of draft names for this file; a UUID follows.
    private var draftPrefix: String { ".\(name)." }

    /// Deletes drafts with secrets that a killed process left.
    package func removeLeftDrafts() {
        let folder = url.deletingLastPathComponent()
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
        for name in names where name.hasPrefix(draftPrefix) {
            guard UUID(uuidString: String(name.dropFirst(draftPrefix.count))) != nil else {
                continue
            }
            removeLeftDraft(folder.appendingPathComponent(name).path)
        }
    }

    /// Deletes a draft, unless it is not a regular file of this user, or a running process has
    /// locked it.
    private func removeLeftDraft(_ path: String) {
        let descriptor = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
        guard descriptor >= 0 else { return }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG,
            status.st_uid == owner, flock(descriptor, LOCK_EX | LOCK_NB) == 0
        else { return }
        unlink(path)
        flock(descriptor, LOCK_UN)
    }

    /// Deletes the file in the ordinary way; a missing file is not an error.
    ///
    /// The call does not overwrite the file first, because overwriting has no effect on flash
    /// memory.
    /// - Throws: ``SourceFailure``.
    /// - Source: Migration guide, Secure Deletion: Trust Cryptographic Erasure.
    public func remove() throws(SourceFailure) {
        removeLeftDrafts()
        guard unlink(url.path) == 0 || errno == ENOENT else {
            throw SourceFailure(.undeletable, name)
        }
        synchronizeFolder()
    }

    /// Makes the rename or removal durable; ignores a system that cannot synchronize folders.
    private func synchronizeFolder() {
        let descriptor = open(url.deletingLastPathComponent().path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return }
        fsync(descriptor)
        close(descriptor)
    }
}
