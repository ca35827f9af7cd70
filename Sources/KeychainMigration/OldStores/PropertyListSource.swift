import Foundation

/// Values in a property list, XML or binary, by their path, such as `accounts.0.token`.
///
/// Deleting rewrites the whole file in its format; the other values remain.
///
/// ```swift
/// let old = PropertyListSource(file: PlainFile(credentials))
/// let move = Move("session.token", from: old, to: token)
/// ```
public struct PropertyListSource: LegacySource {
    private let store: NamedFile
    private let memory = KnownPropertyList()
    private var file: PlainFile { store.file }

    /// The name of the file in reports and in the journal.
    public var name: String { store.name }

    /// Whether a missing value really does not exist.
    public var trust: SourceTrust { store.trust() }

    /// Creates a source from a file; without a name, it has the file's name.
    public init(
        file: PlainFile,
        name: String? = nil,
        trust: @escaping @Sendable () -> SourceTrust = { .trusted }
    ) {
        store = NamedFile(file, name, trust)
    }

    /// Returns the paths of all values, in a stable order.
    public func keys() throws(SourceFailure) -> [String] {
        guard let tree = try tree() else { return [] }
        return PlainTree.leaves(of: tree.root).map(\.0.text)
    }

    /// Returns every value with its path, in a stable order; reads the file once.
    package func values() throws(SourceFailure) -> [(key: String, secret: SecretBytes)] {
        guard let tree = try tree() else { return [] }
        var values: [(key: String, secret: SecretBytes)] = []
        for (path, value) in PlainTree.leaves(of: tree.root) {
            let key = path.text
            guard let secret = try PlainValue.secret(of: value, named: key) else { continue }
            values.append((key, secret))
        }
        return values
    }

    /// Returns a value, or nil only if there is none.
    public func read(_ key: String) throws(SourceFailure) -> LegacyValue? {
        guard let tree = try tree(),
            let value = PlainTree.value(at: ValuePath(text: key).components, in: tree.root)
        else { return nil }
        return try PlainValue.secret(of: value, named: key).map { LegacyValue($0) }
    }

    /// Deletes a value; a missing value is not an error.
    public func delete(_ key: String) throws(SourceFailure) {
        guard let (tree, bytes) = try content() else { return }
        let path = ValuePath(text: key).components
        guard PlainTree.value(at: path, in: tree.root) != nil else { return }
        try replace(with: PlainTree.removing(path, from: tree.root), tree.format, ifStill: bytes)
    }

    /// Returns the kind of the value at a path; nil if there is none.
    package func kind(of key: String) throws(SourceFailure) -> PropertyListKind? {
        guard let tree = try tree() else { return nil }
        let value = PlainTree.value(at: ValuePath(text: key).components, in: tree.root)
        return value.map(PropertyListKind.init)
    }

    /// A value to put back: its path, its kind, and the secret that it became.
    package struct ReturnedEntry {
        package let key: String
        let kind: PropertyListKind
        package let secret: SecretBytes

        package init(key: String, kind: PropertyListKind, secret: SecretBytes) {
            self.key = key
            self.kind = kind
            self.secret = secret
        }
    }

    /// Puts values back in the places from which they were removed; nothing else changes.
    ///
    /// - Parameters:
    ///   - values: The values to put back.
    ///   - isForced: Whether to overwrite other values at these paths, and to skip values without a
    ///     place.
    ///   - limit: The rights that the file keeps at most.
    /// - Returns: The keys without a place; always empty without `isForced`.
    /// - Throws: `SourceFailure.unsupportedKey` if the enclosing dictionary or array is gone.
    package func insert(
        _ values: [ReturnedEntry],
        isForced: Bool = false,
        limit: UInt32 = 0o7777
    ) throws(SourceFailure) -> Set<String> {
        let content = try content()
        guard content != nil || isForced else { throw SourceFailure(.unreadable, file.name) }
        guard let (tree, bytes) = content else { return Set(values.map(\.key)) }
        var root = tree.root
        var left = Set<String>()
        for entry in values {
            let path = ValuePath(text: entry.key).components
            let room = isForced ? PlainTree.removing(path, from: root) : root
            let grown = entry.kind.value(of: entry.secret).flatMap {
                PlainTree.inserting($0, at: path, in: room)
            }
            if let grown { root = grown } else { left.insert(entry.key) }
        }
        if !isForced, let key = left.first { throw SourceFailure(.unsupportedKey, key) }
        if left.count < values.count {
            try replace(with: root, tree.format, limit: limit, ifStill: bytes)
        }
        return left
    }

    /// Returns a list that contains only the values, by their paths.
    package static func list(of values: [ReturnedEntry]) -> Data? {
        let pairs = values.map { ($0.key, $0.kind.value(of: $0.secret) ?? "") }
        return try? PropertyListSerialization.data(
            fromPropertyList: Dictionary(pairs) { first, _ in first },
            format: .xml,
            options: 0
        )
    }

    private func replace(
        with root: Any,
        _ format: PropertyListSerialization.PropertyListFormat,
        limit: UInt32 = 0o7777,
        ifStill known: Data
    ) throws(SourceFailure) {
        guard
            let bytes = try? PropertyListSerialization.data(
                fromPropertyList: root,
                format: format,
                options: 0
            )
        else { throw SourceFailure(.undeletable, file.name) }
        try file.replace(with: bytes, limit: limit, ifStill: known)
    }

    private func tree() throws(SourceFailure) -> PropertyListText.Tree? { try content()?.tree }

    /// Returns the list, and the file's bytes.
    private func content() throws(SourceFailure) -> (tree: PropertyListText.Tree, bytes: Data)? {
        guard let bytes = try file.read() else { return nil }
        guard let tree = memory.tree(of: bytes) else { throw SourceFailure(.damaged, file.name) }
        return (tree, bytes)
    }
}

/// The property list that was parsed last, so that many values cause only one parse.
///
/// `@unchecked Sendable`: every access holds the lock, and a parsed tree never changes.
private final class KnownPropertyList: @unchecked Sendable {
    private let lock = NSLock()
    private var known: (bytes: Data, tree: PropertyListText.Tree)?

    /// Returns the tree of the bytes; nil if they are not a property list.
    func tree(of bytes: Data) -> PropertyListText.Tree? {
        lock.withLock {
            if let known, known.bytes == bytes { return known.tree }
            guard let tree = PropertyListText.read(bytes) else { return nil }
            known = (bytes, tree)
            return tree
        }
    }
}
