import Foundation

/// A scan for plain text below a folder, such as a program's container or a backup of it.
///
/// The scan opens property lists, archives and JSON, and skips other files. It reports the place
/// and the length of each value, but not the value.
///
/// ```swift
/// for finding in try PlaintextScan(folder: container).findings() {
///     print(finding.file, finding.key, finding.byteCount)
/// }
/// ```
/// - Source: Migration guide, Why Migrate.
public struct PlaintextScan: Sendable {
    /// The place of a value in plain text.
    ///
    /// ```swift
    /// let places = try PlaintextScan(folder: container).places(of: SecretBytes("secret"))
    /// ```
    public struct Finding: Codable, Hashable, Sendable {
        /// The file, relative to the folder.
        public let file: String
        /// The path of the value in the file.
        public let key: String
        /// The length of the value in bytes.
        public let byteCount: Int
    }

    private let folder: URL

    /// Creates a scan of a folder.
    public init(folder: URL) { self.folder = folder }

    /// Returns every value, by file and path; the scan does not follow links.
    ///
    /// - Throws: ``SourceFailure``.
    public func findings() throws(SourceFailure) -> [Finding] {
        try values().map { Finding(file: $0.file, key: $0.key, byteCount: $0.value.byteCount) }
    }

    /// Returns the places where a secret is in plain text.
    ///
    /// - Throws: ``SourceFailure``.
    public func places(of secret: SecretBytes) throws(SourceFailure) -> [Finding] {
        try values().filter { $0.value.matches(secret) }
            .map { Finding(file: $0.file, key: $0.key, byteCount: $0.value.byteCount) }
    }

    private typealias Value = (file: String, key: String, value: SecretBytes)

    private func values() throws(SourceFailure) -> [Value] {
        guard let names = try? FileManager.default.subpathsOfDirectory(atPath: folder.path) else {
            throw SourceFailure(.unreadable, folder.lastPathComponent)
        }
        return names.sorted().flatMap(values)
    }

    private func values(in name: String) -> [Value] {
        let file = PlainFile(folder.appendingPathComponent(name))
        guard let bytes = (try? file.read()) ?? nil else { return [] }
        return leaves(of: bytes).compactMap { path, object in
            guard let found = try? PlainValue.secret(of: object, named: path.text) else {
                return nil
            }
            return (name, path.text, found)
        }
    }

    private func leaves(of bytes: Data) -> [(ValuePath, Any)] {
        if let list = PropertyListText.read(bytes) {
            // An archive is a property list, too; its text and data are among the objects.
            return PlainTree.leaves(of: list.root)
        }
        let json = try? JSONSerialization.jsonObject(with: bytes)
        return json.map { PlainTree.leaves(of: $0) } ?? []
    }
}
