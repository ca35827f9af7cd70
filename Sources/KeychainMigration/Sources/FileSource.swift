import Foundation

/// Whole files in a folder; the key is a file's name.
public struct FileSource: LegacySource {
    /// What reports and the journal call the folder.
    public let name: String
    private let folder: URL
    private let owner: UInt32
    private let isTrusted: @Sendable () -> SourceTrust

    /// The files of a folder, which have to belong to a user, by default the one who runs this.
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

    /// Whether an empty read means that there is nothing.
    public var trust: SourceTrust { isTrusted() }

    /// A value; nil only if there is none.
    public func read(_ key: String) throws(SourceFailure) -> LegacyValue? {
        try file(key).read().map { LegacyValue(SecretBytes($0)) }
    }

    /// Deletes a value; that there is none is no error.
    public func delete(_ key: String) throws(SourceFailure) { try file(key).remove() }

    /// A name that leads elsewhere is no name.
    private func file(_ key: String) throws(SourceFailure) -> PlainFile {
        guard !key.isEmpty, !key.contains("/"), !key.contains("\0"), key != ".", key != ".." else {
            throw SourceFailure(.unsupportedKey, key)
        }
        return PlainFile(folder.appendingPathComponent(key), owner: owner)
    }
}
