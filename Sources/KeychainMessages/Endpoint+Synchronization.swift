import KeychainModel

// The client's side of synchronization, which assembles portions.
extension Endpoint {
    package func send(
        _ request: SynchronizationRequest
    ) throws(KeychainError) -> SynchronizationReply {
        guard case .synchronization(let reply) = try send(.synchronization(request)) else {
            throw .unexpectedReply
        }
        return reply
    }

    /// Returns a number that changes with every write of an item.
    package func synchronizationMark() throws(KeychainError) -> UInt64 {
        guard case .mark(let mark) = try send(.mark) else { throw .unexpectedReply }
        return mark
    }

    /// Reads all synchronizable items and tombstones that the device exchanges.
    ///
    /// - Parameters:
    ///   - withContent: Whether to read attributes and values, too.
    ///   - body: Receives the items of each portion.
    /// - Returns: The number of rows that do not open.
    /// - Throws: `errSecInteractionNotAllowed` unless the device is unlocked; the errors of `body`.
    package func readSynchronized(
        withContent: Bool,
        _ body: ([SyncedItem]) throws(KeychainError) -> Void
    ) throws(KeychainError) -> Int {
        var cursor: SyncCursor?
        var damagedCount = 0
        while true {
            guard
                case .portion(let portion) = try send(
                    .read(after: cursor, withContent: withContent)
                )
            else { throw .unexpectedReply }
            damagedCount += portion.damagedCount
            try body(portion.items)
            guard let next = portion.next else { return damagedCount }
            cursor = next
        }
    }

    /// Reads the items with these names; omits those that do not exist.
    ///
    /// - Throws: `errSecInteractionNotAllowed` unless the device is unlocked.
    package func synchronizedItems(
        named names: [[UInt8]]
    ) throws(KeychainError) -> [SyncedItem] {
        var left = names[...]
        var found: [SyncedItem] = []
        while !left.isEmpty {
            let asked = Array(left.prefix(SyncLimit.itemCount))
            guard case .contents(let items, let rest) = try send(.contents(asked)),
                rest.count < asked.count
            else { throw .unexpectedReply }
            found += items
            left = ArraySlice(rest + left.dropFirst(asked.count))
        }
        return found
    }

    /// Reads all records whose key starts with a prefix, in the order of their keys.
    ///
    /// - Throws: The error that prevents reading the keychain.
    package func synchronizationRecords(
        prefix: [UInt8] = []
    ) throws(KeychainError) -> [SyncRecord] {
        var found: [SyncRecord] = []
        while true {
            let request = SynchronizationRequest.records(prefix: prefix, after: found.last?.key)
            guard case .records(let records, let isLast) = try send(request),
                isLast || !records.isEmpty
            else { throw .unexpectedReply }
            found += records
            if isLast { return found }
        }
    }
}

extension Array where Element == SyncedItem {
    /// The items in order, split into as many parts as requests are needed.
    package var portions: [[SyncedItem]] {
        var parts: [[SyncedItem]] = []
        var room = SyncRoom()
        for item in self {
            if parts.isEmpty || !room.take(item) {
                room = SyncRoom()
                _ = room.take(item)
                parts.append([])
            }
            parts[parts.count - 1].append(item)
        }
        return parts
    }
}

/// The room left in one message about items.
package struct SyncRoom: Sendable {
    private var itemCount = 0
    private var byteCount = 0
    private var largeValueCount = 0

    package init() {}

    /// Counts an item; returns false, without counting it, if there is no room.
    ///
    /// The first item always fits.
    package mutating func take(_ item: SyncedItem) -> Bool {
        let valueByteCount = item.value?.secret.byteCount ?? 0
        let bytes = byteCount + item.attributes.count + valueByteCount
        let isLarge = valueByteCount > SyncLimit.largeValueByteCount
        let values = largeValueCount + (isLarge ? 1 : 0)
        guard
            itemCount == 0
                || (itemCount < SyncLimit.itemCount && bytes <= SyncLimit.byteCount
                    && values <= SyncLimit.largeValueCount)
        else { return false }
        itemCount += 1
        byteCount = bytes
        largeValueCount = values
        return true
    }
}
