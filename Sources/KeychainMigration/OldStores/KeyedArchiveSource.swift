import Foundation

/// Values in a file that `NSKeyedArchiver` wrote.
///
/// The source decodes only Foundation's plain classes and the classes that you allow by name. An
/// object that does not match its class is an error. The source does not rewrite an archive: a file
/// beside it lists the values that have moved. The last move deletes the archive.
///
/// ```swift
/// let old = KeyedArchiveSource(file: archive)
/// let moves = try old.keys().map { key in
///     Move(key, from: old, to: .genericPassword(service: "com.example.app", account: key))
/// }
/// ```
/// - Source: Migration guide, Versioned Migration V2.
public struct KeyedArchiveSource: LegacySource {
    /// The name of the file in reports and in the journal.
    public let name: String
    private let file: PlainFile
    private let moved: PlainFile
    private let classes: [String: @Sendable (ArchivedObject) throws -> Any]
    private let values: @Sendable (Any) throws -> [String: Data]
    private let isTrusted: @Sendable () -> SourceTrust

    /// Creates a source from an archive.
    ///
    /// The same archive must produce the same bytes every time, so encode with sorted keys.
    /// Otherwise a value counts as changed and remains where it is.
    ///
    /// - Parameters:
    ///   - url: the archive.
    ///   - name: the name in reports and in the journal; by default that of the file.
    ///   - owner: the user to whom the file must belong; by default the current one.
    ///   - classes: for each class name in the archive, such as `MyApp.Session`, a function that
    ///     makes an object or a dictionary from its fields.
    ///   - values: a function that makes named values from the root object; by default
    ///     ``leaves(of:)``.
    ///   - trust: whether a missing value really does not exist.
    public init(
        file url: URL,
        name: String? = nil,
        owner: UInt32 = geteuid(),
        classes: [String: @Sendable (ArchivedObject) throws -> Any] = [:],
        values: @escaping @Sendable (Any) throws -> [String: Data] = KeyedArchiveSource.leaves,
        trust: @escaping @Sendable () -> SourceTrust = { .trusted }
    ) {
        file = PlainFile(url, owner: owner)
        let note = url.deletingLastPathComponent()
            .appendingPathComponent(".\(url.lastPathComponent).moved")
        moved = PlainFile(note, owner: owner)
        self.name = name ?? url.lastPathComponent
        self.classes = classes
        self.values = values
        isTrusted = trust
    }

    /// Whether a missing value really does not exist.
    public var trust: SourceTrust { isTrusted() }

    /// Returns a value, or nil only if there is none.
    public func read(_ key: String) throws(SourceFailure) -> LegacyValue? {
        guard let found = try contents(), !(try movedKeys().contains(key)) else { return nil }
        return found[key].map { LegacyValue(SecretBytes($0)) }
    }

    /// Marks a value as moved, and deletes the archive with its last value.
    public func delete(_ key: String) throws(SourceFailure) {
        guard let found = try contents() else { return try moved.remove() }
        let gone = try movedKeys().union([key])
        guard found.keys.allSatisfy(gone.contains) else {
            let lines = gone.sorted().map { Data($0.utf8).base64EncodedString() }
            return try moved.replace(with: Data(lines.joined(separator: "\n").utf8))
        }
        try file.remove()
        try moved.remove()
    }

    /// Returns the names of all values that have not moved yet.
    public func keys() throws(SourceFailure) -> [String] {
        let gone = try movedKeys()
        return (try contents() ?? [:]).keys.filter { !gone.contains($0) }.sorted()
    }

    private func movedKeys() throws(SourceFailure) -> Set<String> {
        guard let bytes = try moved.read() else { return [] }
        let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n")
        return Set(
            lines.compactMap { line in
                Data(base64Encoded: String(line)).map { String(decoding: $0, as: UTF8.self) }
            }
        )
    }

    private func contents() throws(SourceFailure) -> [String: Data]? {
        guard let bytes = try file.read() else { return nil }
        let root: Any
        do throws(ArchiveGraph.Flaw) {
            var graph = try ArchiveGraph(bytes, makers: classes)
            root = try graph.root()
        } catch {
            throw SourceFailure(error == .unknownClass ? .unknownClass : .damaged, file.name)
        }
        guard let found = try? values(root) else { throw SourceFailure(.damaged, file.name) }
        return found
    }

    /// Returns each text, data, number and date of nested dictionaries and arrays, by its path.
    public static func leaves(of root: Any) throws -> [String: Data] {
        var found: [String: Data] = [:]
        for (path, value) in PlainTree.leaves(of: root) {
            let secret = try PlainValue.secret(of: value, named: path.text)
            found[path.text] = secret?.copyBytesUnprotected()
        }
        return found
    }
}
