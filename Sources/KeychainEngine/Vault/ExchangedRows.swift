import KeychainMessages
import KeychainModel

// Definitions  "exchanged": devices tell each other of the item in the row.
// Invariants   (1) What is known of a row was true of the writing that has the same binding.
//              (2) Nothing is here while the device is locked: a digest says something about a
//                  value, to whoever can guess it.

/// What rows were to other devices when they were opened last.
///
/// Each writing of a row has a binding of its own. So whoever looks at many items again opens only
/// the rows that were written since.
struct ExchangedRows: Sendable {
    private struct Known {
        let binding: [UInt8]
        /// Without content; nil for a row that stays on the device.
        let item: SyncedItem?
    }

    /// Beyond so many rows, all are forgotten: 131072 of them take some 40 MiB.
    private static let countLimit = 1 << 17

    private var known: [SyncCursor: Known] = [:]
    private var places: [[UInt8]: SyncCursor] = [:]

    /// What the row is, without content; nil if it was not opened since it was written.
    func row(_ mark: RowMark) -> ExchangedRow? {
        let known = known[SyncCursor(mark.itemClass, row: mark.row)]
        guard let known, known.binding == mark.binding, mark.isWhole else { return nil }
        return known.item.map { .item($0) } ?? .kept
    }

    /// Where the item with this name was seen last; it may have gone since.
    func place(ofItemNamed name: [UInt8]) -> SyncCursor? { places[name] }

    /// Notes what opening a row showed.
    ///
    /// A row that does not open is opened again the next time.
    mutating func note(_ row: ExchangedRow, at mark: RowMark) {
        guard mark.isWhole else { return }
        let place = SyncCursor(mark.itemClass, row: mark.row)
        if known.count >= Self.countLimit { self = ExchangedRows() }
        switch row {
        case .damaged: return
        case .kept: known[place] = Known(binding: mark.binding, item: nil)
        case .item(let item):
            known[place] = Known(binding: mark.binding, item: item.withoutContent)
            places[item.name] = place
        }
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

extension SyncedItem {
    /// The same with neither attributes nor value.
    var withoutContent: SyncedItem {
        var item = self
        item.attributes = []
        item.value = nil
        return item
    }
}

extension RowMark {
    /// Whether it has a binding; a row that was cut has less, and says nothing.
    fileprivate var isWhole: Bool { binding.count == Self.bindingByteCount }
}
