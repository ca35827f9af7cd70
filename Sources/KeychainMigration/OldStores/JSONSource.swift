import Foundation
import JSON

/// Values in a JSON file by their path, such as `accounts.0.token`.
///
/// Deleting replaces the value with `null`; every other byte of the file remains.
///
/// ```swift
/// let old = JSONSource(file: PlainFile(settings))
/// let move = Move("accounts.0.token", from: old, to: token)
/// ```
public struct JSONSource: LegacySource {
    private let store: NamedFile
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

    /// Returns the paths of all values except null, in a stable order.
    public func keys() throws(SourceFailure) -> [String] {
        guard let bytes = try file.read() else { return [] }
        return PlainTree.leaves(of: try tree(of: bytes))
            .filter { !($0.1 is NSNull) }
            .map(\.0.text)
    }

    /// Returns a value, or nil only if there is none.
    public func read(_ key: String) throws(SourceFailure) -> LegacyValue? {
        guard let bytes = try file.read(),
            let value = PlainTree.value(
                at: ValuePath(text: key).components,
                in: try tree(of: bytes)
            )
        else { return nil }
        return try secret(of: value, named: key).map { LegacyValue($0) }
    }

    /// Deletes a value; a missing value is not an error.
    public func delete(_ key: String) throws(SourceFailure) {
        guard let bytes = try file.read() else { return }
        _ = try tree(of: bytes)
        guard let range = try place(of: key, in: bytes) else { return }
        var rest = bytes
        rest.replaceSubrange(range, with: Data("null".utf8))
        // The result must still be JSON, with null at that path.
        guard PlainTree.value(at: ValuePath(text: key).components, in: try tree(of: rest)) is NSNull
        else { throw SourceFailure(.undeletable, file.name) }
        try file.replace(with: rest, ifStill: bytes)
    }

    /// The limits of Foundation: its depth, and no limit of size.
    private static let limits = JSONLimits(depth: 512, byteCount: .max)

    /// Returns the range of a value; nil if there is none.
    private func place(of key: String, in bytes: Data) throws(SourceFailure) -> Range<Int>? {
        do throws(JSONError) {
            return try JSONText.read([UInt8](bytes), Self.limits) { text in
                text.node(at: ValuePath(text: key).components)?.range
            }
        } catch { throw SourceFailure(.undeletable, file.name) }
    }

    private func tree(of bytes: Data) throws(SourceFailure) -> Any {
        guard let tree = try? JSONSerialization.jsonObject(with: bytes, options: .fragmentsAllowed)
        else { throw SourceFailure(.damaged, file.name) }
        return tree
    }

    /// Returns the secret for a value; a dictionary or array stays JSON.
    private func secret(of value: Any, named key: String) throws(SourceFailure) -> SecretBytes? {
        guard value is [String: Any] || value is [Any] else {
            return try PlainValue.secret(of: value, named: key)
        }
        guard
            let bytes = try? JSONSerialization.data(
                withJSONObject: value,
                options: [.sortedKeys, .withoutEscapingSlashes]
            )
        else { throw SourceFailure(.unsupportedValue, key) }
        return SecretBytes(bytes)
    }
}
