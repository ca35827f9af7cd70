import KeychainMigration
import SecretServiceClient
import Synchronization

/// The passwords of a Secret Service, by their object paths.
///
/// It deletes only the item that it has read: at its path, with the same attributes.
final class SecretServiceSource: ReturnableSource {
    let name: String = SecretServiceSource.storeName
    let trust = SourceTrust.trusted
    private let service: any SecretService
    /// The items by path, as they were listed.
    private let items: [String: SecretServiceItem]
    /// The content types of the values that were read, by path.
    private let contentTypes = Mutex<[String: String]>([:])

    /// The value of `--from`, and the name in reports.
    static let storeName = "secret-service"

    init(_ service: any SecretService, items: [SecretServiceItem]) {
        self.service = service
        self.items = Dictionary(items.map { ($0.path, $0) }) { first, _ in first }
    }

    func read(_ key: String) throws(SourceFailure) -> LegacyValue? {
        guard try isThere(key) else { return nil }
        let value = try service.value(at: key)
        contentTypes.withLock { $0[key] = value.contentType }
        return LegacyValue(value.secret)
    }

    func shape(
        of keys: [String]
    ) throws(SourceFailure) -> (store: StoreShape, origins: [(key: String, origin: SecretOrigin)]) {
        var origins: [(key: String, origin: SecretOrigin)] = []
        for key in keys {
            guard let item = items[key] else { throw SourceFailure(.unsupportedKey, key) }
            let known = contentTypes.withLock { $0[key] }
            let origin = SecretServiceOrigin(
                collection: item.collection,
                label: item.label,
                attributes: item.attributes,
                contentType: known ?? readContentType(key)
            )
            origins.append((key, .secretService(origin)))
        }
        return (StoreShape(format: name), origins)
    }

    /// Returns the content type of a value.
    ///
    /// An unreadable one does not matter, because its item stays.
    private func readContentType(_ path: String) -> String {
        let type = (try? service.value(at: path))?.contentType ?? "text/plain"
        contentTypes.withLock { $0[path] = type }
        return type
    }

    func delete(_ key: String) throws(SourceFailure) {
        guard try isThere(key) else { return }
        try service.delete(key)
    }

    /// Whether the item still exists.
    ///
    /// - Throws: `SourceFailure` if another item has the path now.
    private func isThere(_ path: String) throws(SourceFailure) -> Bool {
        guard let known = items[path] else { throw SourceFailure(.unsupportedKey, path) }
        guard let found = try service.item(at: path) else { return false }
        guard found.label == known.label, found.hasAttributes(of: known) else {
            throw SourceFailure(.changed, "\(name): \(known.label)")
        }
        return true
    }
}
