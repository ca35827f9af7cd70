import Foundation

/// A journal in a file with one JSON object per line, which is synchronized after each entry.
///
/// After a crash the last line may be incomplete; the journal ignores it. Damage in another line is
/// an error. Then the progress is unknown, and nothing is moved or deleted.
///
/// ```swift
/// let mover = Mover(journal: FileJournal(file: journal))
/// ```
/// - Source: Documentation/Spec/migration.md, section 1.
public struct FileJournal: MigrationJournal {
    /// The file, which the first entry creates and only its owner can read.
    public let file: URL

    /// Creates a journal in a file whose folder exists.
    public init(file: URL) { self.file = file }

    /// Returns the last entry of each value.
    ///
    /// - Throws: ``JournalFailure``.
    public func entries() throws(JournalFailure) -> [String: JournalEntry] {
        let decoder = JSONDecoder()
        decoder.dateDecodingStrategy = .iso8601
        var entries: [String: JournalEntry] = [:]
        for (number, line) in try lines().enumerated() {
            guard let entry = try? decoder.decode(JournalEntry.self, from: line) else {
                throw JournalFailure.damaged(line: number + 1)
            }
            entries[entry.id] = entry
        }
        return entries
    }

    /// Adds an entry, which is on the disk when the call returns.
    ///
    /// - Throws: ``JournalFailure``.
    public func record(_ entry: JournalEntry) throws(JournalFailure) {
        let encoder = JSONEncoder()
        encoder.dateEncodingStrategy = .iso8601
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        do {
            let line = try encoder.encode(entry) + Data([UInt8(ascii: "\n")])
            let descriptor = open(file.path, O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0o600)
            guard descriptor >= 0 else { throw JournalFailure.unwritable(file.path) }
            let handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
            defer { try? handle.close() }
            try handle.truncate(atOffset: try wholeByteCount(handle))
            try handle.seekToEnd()
            try handle.write(contentsOf: line)
            try handle.synchronize()
            // The folder is synchronized each time, because the process that created the file may
            // have been killed before it did so.
            try synchronizeFolder()
        } catch {
            throw JournalFailure.unwritable(file.path)
        }
    }

    /// Makes the file's name durable; ignores a system that cannot synchronize folders.
    private func synchronizeFolder() throws {
        let folder = file.deletingLastPathComponent().path
        let descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { throw JournalFailure.unwritable(folder) }
        defer { close(descriptor) }
        guard fsync(descriptor) == 0 || errno == EINVAL || errno == ENOTSUP else {
            throw JournalFailure.unwritable(folder)
        }
    }

    /// Returns the position after the last complete line.
    private func wholeByteCount(_ handle: FileHandle) throws -> UInt64 {
        let end = try handle.seekToEnd()
        guard end > 0 else { return 0 }
        try handle.seek(toOffset: end - 1)
        let newline = UInt8(ascii: "\n")
        if try handle.read(upToCount: 1)?.first == newline { return end }
        try handle.seek(toOffset: 0)
        let bytes = try handle.readToEnd() ?? Data()
        return UInt64((bytes.lastIndex(of: newline) ?? -1) + 1)
    }

    /// Returns the complete lines, without an unfinished last one.
    private func lines() throws(JournalFailure) -> [Data] {
        guard FileManager.default.fileExists(atPath: file.path) else { return [] }
        guard let bytes = try? Data(contentsOf: file) else {
            throw JournalFailure.unreadable(file.path)
        }
        return bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
            .dropLast()
            .map { Data($0) }
    }
}
