import Secrets

/// Collections in memory.
///
/// This is the session collection, and the reference for other stores.
package final class MemoryItemStore: SecretItemStore {
    private struct Item {
        let name: ItemName
        var content: ItemContent
        var secret: StoredSecret
        let created: UInt64
        var modified: UInt64

        var byteCount: Int {
            content.attributes.reduce(secret.value.secret.byteCount + content.label.utf8.count) {
                $0 + $1.key.utf8.count + $1.value.utf8.count
            }
        }
    }

    private struct State {
        var isLocked = false
        var collections: [CollectionRecord]
        var items: [ItemName: Item] = [:]
        var order: [ItemName] = []
        var count: UInt64 = 0
        var grants: Set<String> = []
        var byteCount = 0

        /// Stores an item.
        ///
        /// - Throws: `limitsExceeded` if there is no room; the stored item then stays unchanged.
        mutating func keep(_ item: Item, limit: Int) throws(SecretServiceError) {
            let count = byteCount - (items[item.name]?.byteCount ?? 0) + item.byteCount
            guard count <= limit else {
                let reason = "over \(limit) bytes in memory"
                throw SecretServiceError(.limitsExceeded, reason)
            }
            byteCount = count
            items[item.name] = item
        }

        mutating func remove(_ name: ItemName) {
            byteCount -= items.removeValue(forKey: name)?.byteCount ?? 0
        }
    }

    private let state: AdaptiveMutex<State>
    private let hasPasscode: Bool
    private let itemCountLimit: Int
    private let byteCountLimit: Int
    private let now: @Sendable () -> UInt64

    /// - Parameters:
    ///   - collections: The collections at the start.
    ///   - hasPasscode: Whether the store can be locked.
    ///   - itemCountLimit: The greatest number of items.
    ///   - byteCountLimit: The greatest total size of items, in bytes.
    ///   - now: Returns the time in seconds since 1970.
    package init(
        _ collections: [CollectionRecord] = [.login],
        hasPasscode: Bool = false,
        itemCountLimit: Int = ServiceLimits().itemsInMemory,
        byteCountLimit: Int = ServiceLimits().memoryByteCount,
        now: @escaping @Sendable () -> UInt64
    ) {
        state = AdaptiveMutex(State(collections: collections))
        self.hasPasscode = hasPasscode
        self.itemCountLimit = itemCountLimit
        self.byteCountLimit = byteCountLimit
        self.now = now
    }

    /// Returns a store with the same settings and no items.
    func anew() -> MemoryItemStore {
        MemoryItemStore(
            state.withLock { $0.collections },
            hasPasscode: hasPasscode,
            itemCountLimit: itemCountLimit,
            byteCountLimit: byteCountLimit,
            now: now
        )
    }

    var isEmpty: Bool { state.withLock { $0.items.isEmpty } }

    package func grants() throws(SecretServiceError) -> Set<String> {
        state.withLock { $0.grants }
    }

    package func grant(_ program: String) throws(SecretServiceError) {
        state.withLock { _ = $0.grants.insert(program) }
    }

    package var isLocked: Bool {
        get throws(SecretServiceError) { state.withLock { $0.isLocked } }
    }

    package func lock() throws(SecretServiceError) -> Bool {
        state.withLock { state in
            state.isLocked = hasPasscode
            return state.isLocked
        }
    }

    /// Unlocks, like the correct passcode.
    package func unlock() { state.withLock { $0.isLocked = false } }

    package func collections() throws(SecretServiceError) -> [CollectionRecord] {
        state.withLock { $0.collections }
    }

    package func save(_ collection: CollectionRecord) throws(SecretServiceError) {
        state.withLock { state in
            if let index = state.collections.firstIndex(where: { $0.name == collection.name }) {
                state.collections[index] = collection
            } else {
                state.collections.append(collection)
            }
        }
    }

    package func deleteCollection(_ name: String) throws(SecretServiceError) -> [ItemName] {
        try state.withLock { state throws(SecretServiceError) in
            guard !state.isLocked else { throw .isLocked }
            let gone = state.order.filter { $0.collection == name }
            state.order.removeAll { $0.collection == name }
            for item in gone { state.remove(item) }
            state.collections.removeAll { $0.name == name }
            return gone
        }
    }

    package func items(of collection: String) throws(SecretServiceError) -> [ItemName] {
        state.withLock { $0.order.filter { $0.collection == collection } }
    }

    package func search(
        _ attributes: [String: String],
        in collection: String?
    ) throws(SecretServiceError) -> SearchResult {
        state.withLock { state in
            let found = state.order.filter { name in
                guard collection == nil || name.collection == collection else { return false }
                var own = state.items[name]?.content.attributes ?? [:]
                own[ItemSchema.attribute] = ItemSchema.name(in: own)
                return attributes.allSatisfy { own[$0.key] == $0.value }
            }
            return state.isLocked ? SearchResult(locked: found) : SearchResult(unlocked: found)
        }
    }

    package func item(_ name: ItemName) throws(SecretServiceError) -> StoredItem? {
        state.withLock { state in
            guard let item = state.items[name] else { return nil }
            guard !state.isLocked else { return .locked }
            return .open(item.content, created: item.created, modified: item.modified)
        }
    }

    package func secret(of name: ItemName) throws(SecretServiceError) -> StoredSecret {
        try state.withLock { state throws(SecretServiceError) in
            try Self.item(name, in: state).secret
        }
    }

    package func add(
        _ item: ItemContent,
        _ secret: StoredSecret,
        to collection: String
    ) throws(SecretServiceError) -> ItemName {
        let time = now()
        return try state.withLock { state throws(SecretServiceError) in
            guard !state.isLocked else { throw .isLocked }
            guard state.items.count < itemCountLimit else {
                let reason = "over \(itemCountLimit) items in memory"
                throw SecretServiceError(.limitsExceeded, reason)
            }
            state.count += 1
            let name = ItemName(collection: collection, identifier: String(state.count))
            let kept = Item(
                name: name,
                content: item,
                secret: secret,
                created: time,
                modified: time
            )
            try state.keep(kept, limit: byteCountLimit)
            state.order.append(name)
            return name
        }
    }

    package func update(
        _ name: ItemName,
        with change: ItemChange
    ) throws(SecretServiceError) {
        let time = now()
        try state.withLock { state throws(SecretServiceError) in
            var item = try Self.item(name, in: state)
            item.content.label = change.label ?? item.content.label
            item.content.attributes = change.attributes ?? item.content.attributes
            item.secret = change.secret ?? item.secret
            item.modified = time
            try state.keep(item, limit: byteCountLimit)
        }
    }

    package func delete(_ name: ItemName) throws(SecretServiceError) {
        try state.withLock { state throws(SecretServiceError) in
            _ = try Self.item(name, in: state)
            state.remove(name)
            state.order.removeAll { $0 == name }
        }
    }

    private static func item(
        _ name: ItemName,
        in state: borrowing State
    ) throws(SecretServiceError) -> Item {
        guard let item = state.items[name] else { throw .noSuchObject(name.path) }
        guard !state.isLocked else { throw .isLocked }
        return item
    }
}
