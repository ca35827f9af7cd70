import KeychainMessages
import KeychainModel
import KeychainSync
import SyncRelay

/// The keychain that is synchronized, as far as synchronization is concerned.
struct SyncedKeychain: Sendable {
    let endpoint: any Endpoint

    /// Changes with every write of an item.
    func mark() throws(SyncFailure) -> UInt64 {
        guard case .mark(let mark) = try send(.mark) else { throw .keychain(.unexpectedReply) }
        return mark
    }

    /// All items and tombstones that are exchanged, without their content.
    ///
    /// - Throws: `errSecInteractionNotAllowed` while the keychain is locked.
    func scan() throws(SyncFailure) -> KeychainScan {
        var scan = KeychainScan(mark: try mark())
        var cursor: SyncCursor?
        repeat {
            let request = SynchronizationRequest.read(after: cursor, withContent: false)
            guard case .portion(let portion) = try send(request) else {
                throw .keychain(.unexpectedReply)
            }
            for item in portion.items { scan.items.append(LocalItem(item)) }
            scan.damagedCount += portion.damagedCount
            cursor = portion.next
        } while cursor != nil
        return scan
    }

    /// The content of items, by their names; what is gone is not in it.
    func contents(of items: [ItemName]) throws(SyncFailure) -> [ItemName: SyncedItem] {
        var wanted = items.map(\.bytes)
        var found: [ItemName: SyncedItem] = [:]
        while !wanted.isEmpty {
            let names = Array(wanted.prefix(SyncLimit.itemCount))
            guard case .contents(let items, let rest) = try send(.contents(names)) else {
                throw .keychain(.unexpectedReply)
            }
            for item in items { found[ItemName(unchecked: item.name)] = item }
            guard rest.count < names.count else { throw .keychain(.unexpectedReply) }
            wanted = rest + wanted.dropFirst(names.count)
        }
        return found
    }

    /// Whether changes of another device are what a keychain may have written.
    func verify(_ changes: [ItemChange]) throws(SyncFailure) -> Bool {
        for chunk in changes.map({ SyncedItem($0, replacing: nil) }).chunks {
            guard let items = chunk.complete else { return false }
            do throws(SyncFailure) { _ = try send(.verify(items)) } catch {
                guard case .keychain(let reason) = error, reason.status == .decode else {
                    throw error
                }
                return false
            }
        }
        return true
    }

    /// Changes items and records together.
    ///
    /// - Returns: The mark after it; nil if an item is no longer what was to be replaced.
    func apply(
        _ items: [SyncedItem],
        keeping records: [SyncRecord]
    ) throws(SyncFailure) -> SyncOutcome? {
        switch try send(.apply(items, keeping: records)) {
        case .applied(let outcome): return outcome
        case .conflict: return nil
        default: throw .keychain(.unexpectedReply)
        }
    }

    /// All records whose key begins so.
    func records(_ prefix: [UInt8]) throws(SyncFailure) -> [SyncRecord] {
        var all: [SyncRecord] = []
        while true {
            let request = SynchronizationRequest.records(prefix: prefix, after: all.last?.key)
            guard case .records(let records, let isLast) = try send(request) else {
                throw .keychain(.unexpectedReply)
            }
            all += records
            guard !isLast, !records.isEmpty else { return all }
        }
    }

    /// Removes all records.
    func forget() throws(SyncFailure) { _ = try send(.forget) }

    /// Which classes this device exchanges: a system of another version may exchange others.
    var exchangedClasses: [String] {
        ItemClass.stored.filter { endpoint.profiles.system.exchanges($0) }.map(\.rawValue)
    }

    private func send(
        _ request: SynchronizationRequest
    ) throws(SyncFailure) -> SynchronizationReply {
        do throws(KeychainError) { return try endpoint.send(request) } catch {
            throw .keychain(error)
        }
    }
}

/// What a keychain contains at one moment.
struct KeychainScan: Sendable {
    /// Before the first item was read.
    let mark: UInt64
    var items: [LocalItem] = []
    /// How many rows do not open; as long as there are any, a missing item may be one of them.
    var damagedCount = 0
}

extension LocalItem {
    /// Seconds from 1970 to 2001.
    private static let epochOffset: Double = 978_307_200

    fileprivate init(_ item: SyncedItem) {
        let milliseconds = ((item.modified + Self.epochOffset) * 1000).rounded()
        let modified =
            milliseconds.isNaN
            ? 0 : Int64(max(-9e15, min(9e15, milliseconds)))
        self.init(
            item: ItemName(unchecked: item.name),
            digest: SyncDigest(unchecked: item.digest),
            isTombstone: item.isTombstone,
            modified: modified
        )
    }
}

extension SyncedItem {
    /// A change as the keychain takes it; nil for a class or protection class that it never has.
    init?(_ change: ItemChange, replacing replaced: SyncDigest?) {
        guard let itemClass = ItemClass(rawValue: change.content.classLetters),
            let protection = ProtectionClass(rawValue: change.content.protection)
        else { return nil }
        self.init(
            name: change.mark.item.bytes,
            digest: change.mark.version.digest.bytes,
            itemClass: itemClass,
            protection: protection,
            isTombstone: change.mark.isTombstone,
            modified: 0,
            attributes: change.content.attributes,
            value: change.content.value,
            replaces: replaced?.bytes
        )
    }

    /// What other devices are told of the item.
    var content: ItemContent {
        ItemContent(
            classLetters: itemClass.rawValue,
            protection: protection.rawValue,
            isTombstone: isTombstone,
            attributes: attributes,
            value: value
        )
    }

    /// How much of a request it takes.
    var byteCount: Int { attributes.count + (value?.secret.byteCount ?? 0) }
}

extension [SyncedItem?] {
    /// Parts that fit into a request each.
    fileprivate var chunks: [[SyncedItem?]] {
        var chunks: [[SyncedItem?]] = []
        var byteCount = 0
        var largeCount = 0
        for item in self {
            let added = item?.byteCount ?? 0
            let isLarge = (item?.value?.secret.byteCount ?? 0) > SyncLimit.largeValueByteCount
            let isFull =
                (chunks.last?.count ?? 0) >= SyncLimit.itemCount
                || byteCount + added > SyncLimit.byteCount
                || largeCount >= SyncLimit.largeValueCount && isLarge
            if chunks.isEmpty || isFull {
                chunks.append([])
                byteCount = 0
                largeCount = 0
            }
            chunks[chunks.count - 1].append(item)
            byteCount += added
            if isLarge { largeCount += 1 }
        }
        return chunks
    }

    /// All of them, if none is missing.
    fileprivate var complete: [SyncedItem]? {
        let present = compactMap { $0 }
        return present.count == count ? present : nil
    }
}

extension [SyncedItem] {
    /// Parts that fit into a request each.
    var requests: [[SyncedItem]] { map(Optional.some).chunks.map { $0.compactMap(\.self) } }
}
