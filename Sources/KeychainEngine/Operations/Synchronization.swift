import DataProtection
import KeychainMessages
import KeychainModel
import Secrets

// Reading what the device exchanges with others: synchronizable items and tombstones that may leave
// it, of the classes that its system exchanges.
//
// Source: Documentation/Spec/sync.md §1, §2; requirements SYN-01, SYN-03, SYN-08.
extension ItemVault {
    /// No more rows than this are looked at while others wait.
    private static let rowLimit = 256

    private var exchangedClasses: [ItemClass] {
        ItemClass.stored.filter { profiles.system.exchanges($0) }
    }

    /// The next items and tombstones.
    ///
    /// - Throws: `errSecInteractionNotAllowed` unless the device is unlocked: then every class that
    ///   is exchanged is open.
    mutating func readSynchronized(
        after cursor: SyncCursor?,
        withContent: Bool,
        _ session: borrowing DeviceSession
    ) throws(KeychainError) -> SyncPortion {
        try session.requireOpen(.whenUnlocked)
        let classes = exchangedClasses.drop { itemClass in
            cursor.map { itemClass != $0.itemClass } ?? false
        }
        var portion = SyncPortion()
        var room = SyncRoom()
        var left = Self.rowLimit
        for itemClass in classes {
            var last = cursor?.itemClass == itemClass ? cursor?.row ?? 0 : 0
            let found = try store.cursor(synchronizable(itemClass, after: last), withSecrets: true)
            while let row = try store.next(found) {
                guard left > 0 else {
                    portion.next = SyncCursor(itemClass, row: last)
                    return portion
                }
                left -= 1
                switch try exchanged(row, session) {
                case .kept: break
                case .damaged: portion.damagedCount += 1
                case .item(var item):
                    if !withContent { item.leaveContentOut() }
                    guard room.take(item) else {
                        portion.next = SyncCursor(itemClass, row: last)
                        return portion
                    }
                    portion.items.append(item)
                }
                last = row.row
            }
        }
        return portion
    }

    /// The items with these names, as many as fit in one reply.
    ///
    /// - Returns: The items that are there, and the names to ask for again.
    /// - Throws: As above.
    mutating func synchronized(
        named names: [[UInt8]],
        _ session: borrowing DeviceSession
    ) throws(KeychainError) -> (items: [SyncedItem], rest: [[UInt8]]) {
        try session.requireOpen(.whenUnlocked)
        var wanted = Set(names)
        var rest: [[UInt8]] = []
        var items: [SyncedItem] = []
        var room = SyncRoom()
        for itemClass in exchangedClasses where !wanted.isEmpty {
            let found = try store.cursor(synchronizable(itemClass, after: 0), withSecrets: true)
            while !wanted.isEmpty, let row = try store.next(found) {
                guard !row.item.columns.protection.isThisDeviceOnly,
                    let open = try open(row, session),
                    wanted.remove(try SyncDigests.name(of: open.item)) != nil,
                    case .item(let item) = try exchanged(open, session)
                else { continue }
                if room.take(item) { items.append(item) } else { rest.append(item.name) }
            }
        }
        return (items, rest)
    }

    private func synchronizable(_ itemClass: ItemClass, after row: Int64) -> RowFilter {
        var filter = RowFilter(itemClass: itemClass)
        filter.synchronizable = .synchronized
        filter.isTombstone = nil
        filter.after = row
        return filter
    }
}

/// What a synchronizable row is to other devices.
enum ExchangedRow {
    case item(SyncedItem)
    /// It stays on the device.
    case kept
    /// It does not open.
    case damaged
}

extension ItemVault {
    /// Opens a row, if devices tell each other of it.
    mutating func exchanged(
        _ row: SealedRow,
        _ session: borrowing DeviceSession
    ) throws(KeychainError) -> ExchangedRow {
        guard !row.item.columns.protection.isThisDeviceOnly else { return .kept }
        guard let open = try open(row, session) else { return .damaged }
        return try exchanged(open, session)
    }

    private func exchanged(
        _ open: OpenRow,
        _ session: borrowing DeviceSession
    ) throws(KeychainError) -> ExchangedRow {
        guard open.item.isExchanged else { return .kept }
        guard !open.item.isTombstone else { return .item(try open.item.synced(nil)) }
        guard let value = try openSecret(of: open, session) else { return .damaged }
        return .item(try open.item.synced(SharedSecret(value)))
    }
}

extension SyncedItem {
    /// Leaves attributes and value out.
    fileprivate mutating func leaveContentOut() {
        attributes = []
        value = nil
    }
}
