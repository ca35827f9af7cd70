import DataProtection
import KeychainMessages
import KeychainModel
import Secrets

// Reading what the device exchanges with others: synchronizable items and tombstones that may leave
// it, of the classes that its system exchanges.
//
// Source: Documentation/Spec/sync.md §1, §2; requirements SYN-01, SYN-03, SYN-08.
extension ItemVault {
    /// What one portion may cost while others wait: opening a row costs 16, a row that is known 1.
    private static let portionCost = 4096
    private static let openingCost = 16

    private var exchangedClasses: [ItemClass] {
        ItemClass.stored.filter { profiles.system.exchanges($0) }
    }

    /// The next items and tombstones.
    ///
    /// Rows that were not written since the last look are not opened again, unless their content
    /// is wanted.
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

    /// The items with these names, as many as fit in one reply.
    ///
    /// - Returns: The items that are there, and the names to ask for again.
    /// - Throws: As above.
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

    /// Opens the row with this mark, and notes what it is.
    private mutating func exchanged(
        _ mark: RowMark,
        _ session: borrowing DeviceSession
    ) throws(KeychainError) -> ExchangedRow {
        var filter = RowFilter(itemClass: mark.itemClass)
        filter.row = mark.row
        filter.synchronizable = .synchronized
        filter.isTombstone = nil
        // Columns that make no sense are damage, too.
        guard let row = try store.rows(filter, withSecrets: true).first else { return .damaged }
        let found = try exchanged(row, session)
        if row.item.binding == mark.binding { exchangedRows.note(found, at: mark) }
        return found
    }
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

/// The items of a reply, and the names that are still to be found.
private struct FoundItems {
    private(set) var wanted: Set<[UInt8]>
    private(set) var items: [SyncedItem] = []
    /// Names of items that were found and do not fit.
    private(set) var rest: [[UInt8]] = []
    private var room = SyncRoom()

    init(_ names: [[UInt8]]) { wanted = Set(names) }

    /// Takes an item if it is wanted.
    mutating func take(_ item: SyncedItem) {
        guard wanted.remove(item.name) != nil else { return }
        if room.take(item) { items.append(item) } else { rest.append(item.name) }
    }
}
