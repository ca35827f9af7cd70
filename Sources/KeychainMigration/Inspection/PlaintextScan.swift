import Foundation

/// Lists what lies in plain text below a folder, such as a program's container or a backup of it.
///
/// Property lists, archives and JSON are opened; of other files nothing is said. Values themselves
/// are not listed: a finding says where one lies and how long it is.
/// - Source: Migration guide, Why Migrate.
public struct PlaintextScan: Sendable {
    /// A value in plain text.
    public struct Finding: Codable, Hashable, Sendable {
        /// The file, relative to the folder.
        public let file: String
        /// The value's path in it.
        public let key: String
        /// Its length.
        public let byteCount: Int
    }

    private let folder: URL

    /// A scan of a folder.
    public init(folder: URL) { self.folder = folder }

    /// Every value, by file and path; links are not followed.
    public func findings() throws(SourceFailure) -> [Finding] {
        try values().map { Finding(file: $0.file, key: $0.key, byteCount: $0.value.byteCount) }
    }

    /// Where a secret lies in plain text.
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
            // An archive is a property list too: its texts and data are among the objects.
            return PlainTree.leaves(of: list.root)
        }
        let json = try? JSONSerialization.jsonObject(with: bytes)
        return json.map { PlainTree.leaves(of: $0) } ?? []
    }
}
