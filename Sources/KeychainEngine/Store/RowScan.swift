import KeychainModel

/// A scan over the rows of every class, in the order in which they were added.
///
/// With a snapshot it continues over several calls. Without one, as for a store in memory, it ends
/// in the call in which it begins.
struct RowScan {
    enum Step {
        /// The rows of this class follow.
        case entered(ItemClass)
        case row(SealedRow)
        case end
    }

    /// The most rows that one call reads while others wait.
    private static let rowLimit = 512

    let snapshot: RowSnapshot?
    /// The name of the class keys that seal the rows.
    let keySet: [UInt8]
    private let includesTombstones: Bool
    private var rest = ItemClass.stored[...]
    private var current: ItemClass?
    private var cursor: RowCursor?

    init(_ snapshot: RowSnapshot?, keySet: [UInt8], includesTombstones: Bool = false) {
        self.snapshot = snapshot
        self.keySet = keySet
        self.includesTombstones = includesTombstones
        // A scan reads each page once, and programs may have many scans in progress.
        snapshot?.reader.store.keepFewPages()
    }

    /// The most steps of one call.
    var stepLimit: Int { snapshot == nil ? .max : Self.rowLimit }

    mutating func next(in store: borrowing ItemStore) throws(KeychainError) -> Step {
        if let cursor {
            if let row = try store.next(cursor) { return .row(row) }
            leaveClass()
        }
        if let current {
            var filter = RowFilter(itemClass: current)
            filter.synchronizable = .any
            if includesTombstones { filter.isTombstone = nil }
            let begun = try store.cursor(filter, withSecrets: true)
            cursor = begun
            if let row = try store.next(begun) { return .row(row) }
            leaveClass()
        }
        guard let next = rest.popFirst() else { return .end }
        current = next
        return .entered(next)
    }

    /// Skips the remaining rows of the class.
    mutating func leaveClass() {
        cursor = nil
        current = nil
    }
}
