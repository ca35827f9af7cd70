import Foundation
import KeychainMigration
import Synchronization

/// The secrets of a property list, with the facts that an undo needs.
final class PropertyListOrigin: ReturnableSource {
    private let source: PropertyListSource
    /// The kinds of the values by path, as the plan found them.
    private let kinds = Mutex<[String: PropertyListKind]>([:])

    var name: String { source.name }
    var trust: SourceTrust { source.trust }

    init(_ source: PropertyListSource) { self.source = source }

    /// Returns every value with its path, in a stable order.
    func values() throws(SourceFailure) -> [(key: String, secret: SecretBytes)] {
        try source.values()
    }

    func read(_ key: String) throws(SourceFailure) -> LegacyValue? { try source.read(key) }

    func delete(_ key: String) throws(SourceFailure) { try source.delete(key) }

    func shape(
        of keys: [String]
    ) throws(SourceFailure) -> (store: StoreShape, origins: [(key: String, origin: SecretOrigin)]) {
        var origins: [(key: String, origin: SecretOrigin)] = []
        for key in keys {
            var kind = kinds.withLock { $0[key] }
            if kind == nil { kind = try source.kind(of: key) }
            guard let kind else { throw SourceFailure(.changed, name) }
            kinds.withLock { $0[key] = kind }
            origins.append((key, .propertyList(kind)))
        }
        var status = stat()
        // The name is the path.
        let mode = lstat(name, &status) == 0 ? status.st_mode & 0o7777 : nil
        return (StoreShape(format: PropertyListPlan.format, mode: mode), origins)
    }
}
