import Foundation

/// A journal in a file: one JSON object per line, appended and synchronized.
///
/// A line that was cut off by a crash is the last one, and does not count. Damage anywhere else is
/// an error: what happened is then unknown, and nothing is moved or deleted.
/// - Source: Documentation/Spec/migration.md §1.
public struct FileJournal: MigrationJournal {
    /// The file; made when the first entry is recorded, readable by its owner alone.
    public let file: URL

    /// A journal in a file whose folder exists.
    public init(file: URL) { self.file = file }

    /// The last entry of each value.
    public func entries() throws(JournalFailure) -> [String: JournalEntry] {
        let decoder = JSONDecoder()
        decoder.dateDecodingStrategy = .iso8601
        var entries: [String: JournalEntry] = [:]
        for (number, line) in try lines().whole.enumerated() {
            guard let entry = try? decoder.decode(JournalEntry.self, from: line) else {
                throw JournalFailure.damaged(line: number + 1)
            }
            entries[entry.id] = entry
        }
        return entries
    }

    /// Adds an entry; it is durable before the call returns.
    public func record(_ entry: JournalEntry) throws(JournalFailure) {
        let torn = try lines().tornByteCount
        let encoder = JSONEncoder()
        encoder.dateEncodingStrategy = .iso8601
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        do {
            let line = try encoder.encode(entry) + Data([UInt8(ascii: "\n")])
            let descriptor = open(file.path, O_WRONLY | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0o600)
            guard descriptor >= 0 else { throw JournalFailure.unwritable(file.path) }
            let handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
            defer { try? handle.close() }
            let end = try handle.seekToEnd()
            try handle.truncate(atOffset: end - UInt64(torn))
            try handle.seekToEnd()
            try handle.write(contentsOf: line)
            try handle.synchronize()
        } catch {
            throw JournalFailure.unwritable(file.path)
        }
    }

    /// The lines that end, and the length of one that does not.
    private func lines() throws(JournalFailure) -> (whole: [Data], tornByteCount: Int) {
        guard FileManager.default.fileExists(atPath: file.path) else { return ([], 0) }
        guard let bytes = try? Data(contentsOf: file) else {
            throw JournalFailure.unreadable(file.path)
        }
        var parts = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        let torn = parts.popLast()?.count ?? 0
        return (parts.map { Data($0) }, torn)
    }
}
