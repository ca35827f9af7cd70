import KeychainModel

/// The identity of one write of a row.
package struct RowMark: Sendable, Hashable {
    /// The length of the binding, which follows the version byte of the metadata half.
    static let bindingByteCount = 16

    package let itemClass: ItemClass
    package let row: Int64
    /// 16 random bytes, new with every write; fewer if the row was truncated.
    package let binding: [UInt8]

    package init(itemClass: ItemClass, row: Int64, binding: [UInt8]) {
        self.itemClass = itemClass
        self.row = row
        self.binding = binding
    }
}

/// The effect of a write, to be added to the row sum before the transaction ends.
package struct RowChange: Sendable, Hashable {
    /// The mark of the previous row; nil for a new row.
    package var taken: RowMark?
    /// The mark of the present row; nil for a removed row.
    package var put: RowMark?
}

/// A store's state between writes: whether the row sum is out of date, and the checked schema.
final class RowWriteState {
    var isOpen = false
    /// SQLite's data version when the schema was last compared; nil before.
    var checkedVersion: Int64?
}

extension SealedItem {
    /// The binding, which the metadata half carries in the clear.
    var binding: [UInt8] { Array(metadata.dropFirst().prefix(RowMark.bindingByteCount)) }
}
