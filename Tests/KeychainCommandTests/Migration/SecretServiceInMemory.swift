import Foundation
import KeychainMigration
import SecretServiceClient
import Synchronization

@testable import keychain_migrate

/// A Secret Service of one test.
final class SecretServiceInMemory: SecretService {
    static let login = "/org/freedesktop/secrets/collection/login"

    private struct State {
        var items: [(item: SecretServiceItem, value: SecretServiceValue)] = []
        var count = 0
    }

    private let state = Mutex(State())
    private let lockedCollections: [String]
    /// Is called before an item is deleted, as somebody else who changes it meanwhile.
    private let beforeRead: @Sendable (SecretServiceInMemory, _ path: String) -> Void

    init(
        lockedCollections: [String] = [],
        beforeRead: @escaping @Sendable (SecretServiceInMemory, String) -> Void = { _, _ in }
    ) {
        self.lockedCollections = lockedCollections
        self.beforeRead = beforeRead
    }

    @discardableResult
    func add(
        _ label: String,
        _ attributes: [String: String],
        _ value: Data,
        in collection: String = login
    ) -> String {
        state.withLock { state in
            state.count += 1
            let path = "\(collection)/\(state.count)"
            let item = SecretServiceItem(
                path: path,
                collection: collection,
                label: label,
                attributes: attributes
            )
            state.items.append((item, SecretServiceValue(SecretBytes(value))))
            return path
        }
    }

    /// Everything that is left, as `label=value`, in order.
    var contents: [String] {
        state.withLock { state in
            state.items.map { item, value in
                let bytes = value.secret.copyBytesUnprotected()
                return "\(item.label)=" + String(decoding: bytes, as: UTF8.self)
            }
        }
    }

    var items: [SecretServiceItem] { state.withLock { $0.items.map(\.item) } }

    /// Has another item at the path of one that is there.
    func exchange(_ path: String, attributes: [String: String]) {
        state.withLock { state in
            state.items = state.items.map { item, value in
                guard item.path == path else { return (item, value) }
                let other = SecretServiceItem(
                    path: path,
                    collection: item.collection,
                    label: item.label,
                    attributes: attributes
                )
                return (other, value)
            }
        }
    }

    func listing() -> SecretServiceListing {
        var listing = SecretServiceListing()
        listing.items = items
        listing.lockedCollections = lockedCollections
        return listing
    }

    func item(at path: String) -> SecretServiceItem? {
        beforeRead(self, path)
        return items.first { $0.path == path }
    }

    func value(at path: String) throws(SourceFailure) -> SecretServiceValue {
        let found = state.withLock { $0.items.first { $0.item.path == path }?.value }
        guard let found else { throw SourceFailure(.unreadable, path) }
        return found
    }

    func delete(_ path: String) {
        state.withLock { $0.items.removeAll { $0.item.path == path } }
    }

    func create(_ item: SecretServiceItem, _ value: SecretServiceValue) -> String {
        add(item.label, item.attributes, value.secret.copyBytesUnprotected(), in: item.collection)
    }

    func replace(_ path: String, with value: SecretServiceValue) {
        state.withLock { state in
            state.items = state.items.map { $0.item.path == path ? ($0.item, value) : $0 }
        }
    }
}
