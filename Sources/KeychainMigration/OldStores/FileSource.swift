import Foundation

/// The files in a folder as values; the key is the name of a file.
///
/// ```swift
/// let move = Move("api-token.txt", from: FileSource(folder: folder), to: token)
/// ```
public struct FileSource: LegacySource {
    /// The name of the folder in reports and in the journal.
    public let name: String
    private let folder: URL
    private let owner: UInt32
    private let isTrusted: @Sendable () -> SourceTrust

    /// Creates a source from the files of a folder, which must belong to a user, by default the
    /// current one.
    public init(
        folder: URL,
        name: String? = nil,
        owner: UInt32 = geteuid(),
        trust: @escaping @Sendable () -> SourceTrust = { .trusted }
    ) {
        self.folder = folder
        self.name = name ?? folder.lastPathComponent
        self.owner = owner
        isTrusted = trust
    }

    /// Whether a missing file really does not exist.
    public var trust: SourceTrust { isTrusted() }

    /// Returns the content of a file, or nil only if there is none.
    public func read(_ key: String) throws(SourceFailure) -> LegacyValue? {
        try file(key).read().map { LegacyValue(SecretBytes($0)) }
    }

    /// Deletes a file; a missing file is not an error.
    public func delete(_ key: String) throws(SourceFailure) { try file(key).remove() }

    /// Returns the file with a name, which may not lead out of the folder.
    private func file(_ key: String) throws(SourceFailure) -> PlainFile {
        guard !key.isEmpty, !key.contains("/"), !key.contains("\0"), key != ".", key != ".." else {
            throw SourceFailure(.unsupportedKey, key)
        }
        return PlainFile(folder.appendingPathComponent(key), owner: owner)
    }
}
