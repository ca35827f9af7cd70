import Foundation

/// Values in a file that `NSKeyedArchiver` wrote.
///
/// It is decoded securely: objects are made of Foundation's plain classes and of those that are
/// allowed by name, never of others, and one that is not what its class says is an error.
/// An archive is not rewritten: which of its values have been moved is noted in a file beside it,
/// and the archive goes with the last of them.
/// - Source: Migration guide, Versioned Migration V2.
public struct KeyedArchiveSource: LegacySource {
    /// What reports and the journal call the file.
    public let name: String
    private let file: PlainFile
    private let moved: PlainFile
    private let classes: [String: @Sendable (ArchivedObject) throws -> Any]
    private let values: @Sendable (Any) throws -> [String: Data]
    private let isTrusted: @Sendable () -> SourceTrust

    /// The values of an archive.
    ///
    /// `classes` maps names of classes in the archive, such as `MyApp.Session`, to what makes an
    /// object or a dictionary of their fields. `values` makes named values of the root object; by
    /// default each text, data and number by its path in dictionaries and arrays. The same archive
    /// has to give the same bytes every time, or its value counts as changed and stays where it is:
    /// encode with sorted keys.
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

    /// Whether an empty read means that there is nothing.
    public var trust: SourceTrust { isTrusted() }

    /// A value; nil only if there is none.
    public func read(_ key: String) throws(SourceFailure) -> LegacyValue? {
        guard let found = try contents(), !(try movedKeys().contains(key)) else { return nil }
        return found[key].map { LegacyValue(SecretBytes($0)) }
    }

    /// Deletes a value; that there is none is no error.
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

    /// The names of all values that have not been moved yet.
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

    /// Each text, data, number and date of nested dictionaries and arrays, by its path.
    public static func leaves(of root: Any) throws -> [String: Data] {
        var found: [String: Data] = [:]
        for (path, value) in PlainTree.leaves(of: root) {
            let secret = try PlainValue.secret(of: value, named: path.text)
            found[path.text] = secret?.copyBytesUnprotected()
        }
        return found
    }
}
