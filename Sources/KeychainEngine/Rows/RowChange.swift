import KeychainModel

/// What tells one writing of a row from every other.
package struct RowMark: Sendable, Hashable {
    /// The binding follows the version byte of the metadata half.
    static let bindingByteCount = 16

    package let itemClass: ItemClass
    package let row: Int64
    /// 16 bytes at random, new with every write; fewer where the row was cut.
    package let binding: [UInt8]

    package init(itemClass: ItemClass, row: Int64, binding: [UInt8]) {
        self.itemClass = itemClass
        self.row = row
        self.binding = binding
    }
}

/// What a write did to the rows: to be noted in their sum before the transaction ends.
package struct RowChange: Sendable, Hashable {
    /// The row as it was; nil for a new one.
    package var taken: RowMark?
    /// The row as it is; nil for one that was removed.
    package var put: RowMark?
}

/// What a store notes between writes: whether the row sum is out of date, and the checked schema.
final class RowWriteState {
    var isOpen = false
    /// SQLite's count of what others wrote, when the schema was last compared; nil before.
    var checkedVersion: Int64?
}

extension SealedItem {
    /// The binding that the metadata half carries in the clear.
    var binding: [UInt8] { Array(metadata.dropFirst().prefix(RowMark.bindingByteCount)) }
}
