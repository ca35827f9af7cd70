import Foundation

/// Values in a property list, XML or binary, by their path: `accounts.0.token`.
///
/// Deleting rewrites the file as a whole in the format it had; the rest of it stays.
public struct PropertyListSource: LegacySource {
    private let store: NamedFile
    private var file: PlainFile { store.file }

    /// What reports and the journal call the file.
    public var name: String { store.name }

    /// Whether an empty read means that there is nothing.
    public var trust: SourceTrust { store.trust() }

    /// The values of a file; its own name is the source's unless another one is given.
    public init(
        file: PlainFile,
        name: String? = nil,
        trust: @escaping @Sendable () -> SourceTrust = { .trusted }
    ) {
        store = NamedFile(file, name, trust)
    }

    /// The paths of all values, in a stable order.
    public func keys() throws(SourceFailure) -> [String] {
        guard let tree = try tree() else { return [] }
        return PlainTree.leaves(of: tree.root).map(\.0.text)
    }

    /// A value; nil only if there is none.
    public func read(_ key: String) throws(SourceFailure) -> LegacyValue? {
        guard let tree = try tree(),
            let value = PlainTree.value(at: ValuePath(text: key).components, in: tree.root)
        else { return nil }
        return try PlainValue.secret(of: value, named: key).map { LegacyValue($0) }
    }

    /// Deletes a value; that there is none is no error.
    public func delete(_ key: String) throws(SourceFailure) {
        guard let tree = try tree() else { return }
        let path = ValuePath(text: key).components
        guard PlainTree.value(at: path, in: tree.root) != nil else { return }
        let rest = PlainTree.removing(path, from: tree.root)
        guard
            let bytes = try? PropertyListSerialization.data(
                fromPropertyList: rest,
                format: tree.format,
                options: 0
            )
        else { throw SourceFailure(.undeletable, file.name) }
        try file.replace(with: bytes)
    }

    private func tree() throws(SourceFailure) -> (
        root: Any, format: PropertyListSerialization.PropertyListFormat
    )? {
        guard let bytes = try file.read() else { return nil }
        guard let tree = PropertyListText.read(bytes) else {
            throw SourceFailure(.damaged, file.name)
        }
        return tree
    }
}
