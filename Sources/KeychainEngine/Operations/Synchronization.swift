import DataProtection
import KeychainMessages
import KeychainModel
import Secrets

// Reads the items that the device exchanges: synchronizable items and tombstones that may leave it,
// of the classes that its system exchanges.
//
// Source: Documentation/Spec/sync.md §1, §2; requirements SYN-01, SYN-03, SYN-08.
extension ItemVault {
    /// The most work of one portion while others wait: opening a row costs 16, a known row 1.
    private static let portionCost = 4096
    private static let openingCost = 16

    private var exchangedClasses: [ItemClass] {
        ItemClass.stored.filter { profiles.system.exchanges($0) }
    }

    /// Returns the next items and tombstones.
    ///
    /// Rows that have not been written since the last call are not opened again, unless the caller
    /// requests their content.
    /// - Throws: `errSecInteractionNotAllowed` unless the device is unlocked; then every exchanged
    ///   class is open.
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
        var left = Self.portionCost
        for itemClass in classes {
            var last = cursor?.itemClass == itemClass ? cursor?.row ?? 0 : 0
            let marks = try store.synchronizedMarks(of: itemClass, after: last)
            while let mark = try store.next(marks) {
                guard left > 0 else {
                    portion.next = SyncCursor(itemClass, row: last)
                    return portion
                }
                let known = withContent ? nil : exchangedRows.row(mark)
                left -= known == nil ? Self.openingCost : 1
                let found = if let known { known } else { try exchanged(mark, session) }
                switch found {
                case .kept: break
                case .damaged: portion.damagedCount += 1
                case .item(let item):
                    let shown = withContent ? item : item.withoutContent
                    guard room.take(shown) else {
                        portion.next = SyncCursor(itemClass, row: last)
                        return portion
                    }
                    portion.items.append(shown)
                }
                last = mark.row
            }
        }
        return portion
    }

    /// Returns the items with these names, as many as fit in one reply.
    ///
    /// - Returns: The items that exist, and the names to request again.
    /// - Throws: As `readSynchronized`.
    mutating func synchronized(
        named names: [[UInt8]],
        _ session: borrowing DeviceSession
    ) throws(KeychainError) -> (items: [SyncedItem], rest: [[UInt8]]) {
        try session.requireOpen(.whenUnlocked)
        var found = FoundItems(names)
        for name in names {
            guard let place = exchangedRows.place(ofItemNamed: name),
                profiles.system.exchanges(place.itemClass),
                let mark = try store.mark(row: place.row, of: place.itemClass),
                case .item(let item) = try exchanged(mark, session)
            else { continue }
            found.take(item)
        }
        for itemClass in exchangedClasses where !found.wanted.isEmpty {
            let marks = try store.synchronizedMarks(of: itemClass, after: 0)
            while !found.wanted.isEmpty, let mark = try store.next(marks) {
                if let known = exchangedRows.row(mark) {
                    guard case .item(let item) = known, found.wanted.contains(item.name) else {
                        continue
                    }
                }
                guard case .item(let item) = try exchanged(mark, session) else { continue }
                found.take(item)
            }
        }
        return (found.items, found.rest)
    }

    /// Opens the row with this mark, and remembers the outcome.
    private mutating func exchanged(
        _ mark: RowMark,
        _ session: borrowing DeviceSession
    ) throws(KeychainError) -> ExchangedRow {
        var filter = RowFilter(itemClass: mark.itemClass)
        filter.row = mark.row
        filter.synchronizable = .synchronized
        filter.isTombstone = nil
        // Invalid columns are damage, too.
        guard let row = try store.rows(filter, withSecrets: true).first else { return .damaged }
        let found = try exchanged(row, session)
        if row.item.binding == mark.binding { exchangedRows.note(found, at: mark) }
        return found
    }
}

extension ItemVault {
    /// Opens a row, if it may travel to other devices.
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

/// The items of a reply, and the names that are still missing.
private struct FoundItems {
    private(set) var wanted: Set<[UInt8]>
    private(set) var items: [SyncedItem] = []
    /// Names of items that were found but did not fit.
    private(set) var rest: [[UInt8]] = []
    private var room = SyncRoom()

    init(_ names: [[UInt8]]) { wanted = Set(names) }

    /// Adds an item if it is wanted.
    mutating func take(_ item: SyncedItem) {
        guard wanted.remove(item.name) != nil else { return }
        if room.take(item) { items.append(item) } else { rest.append(item.name) }
    }
}
