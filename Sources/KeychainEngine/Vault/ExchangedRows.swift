import KeychainMessages
import KeychainModel

// Definitions  "exchanged": the item of the row travels between devices.
// Invariants   (1) The entry of a row describes the write that has the same binding.
//              (2) It is empty while the device is locked: a digest reveals something about a value
//                  to an attacker who can guess the value.

/// The items that synchronizable rows contained when they were last opened.
///
/// Each write of a row has a new binding. So a caller that reads many items again opens only the
/// rows that were written since.
struct ExchangedRows: Sendable {
    private struct Known {
        let binding: [UInt8]
        /// The item without content; nil for a row that stays on the device.
        let item: SyncedItem?
    }

    /// The most entries before all are dropped: 131,072 of them take about 40 MiB.
    private static let countLimit = 1 << 17

    private var known: [SyncCursor: Known] = [:]
    private var places: [[UInt8]: SyncCursor] = [:]

    /// Returns the row without content; nil if it was not opened since its last write.
    func row(_ mark: RowMark) -> ExchangedRow? {
        let known = known[SyncCursor(mark.itemClass, row: mark.row)]
        guard let known, known.binding == mark.binding, mark.isWhole else { return nil }
        return known.item.map { .item($0) } ?? .kept
    }

    /// Returns the last known place of the item with this name; the item may be gone.
    func place(ofItemNamed name: [UInt8]) -> SyncCursor? { places[name] }

    /// Records the outcome of opening a row.
    ///
    /// A damaged row is not recorded, so it is opened again the next time.
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

/// A synchronizable row, as other devices see it.
enum ExchangedRow {
    case item(SyncedItem)
    /// The item stays on the device.
    case kept
    /// The row does not open.
    case damaged
}

extension SyncedItem {
    /// The item without attributes and value.
    var withoutContent: SyncedItem {
        var item = self
        item.attributes = []
        item.value = nil
        return item
    }
}

extension RowMark {
    /// Whether the mark has a complete binding; a truncated row does not.
    fileprivate var isWhole: Bool { binding.count == Self.bindingByteCount }
}
