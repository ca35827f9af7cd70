import KeychainModel

extension RowName<[UInt8]> {
    /// Of a row that was read whole, or is about to be written.
    init(_ columns: ItemColumns, _ binding: ItemCipher.Binding) {
        self.init(
            itemClass: columns.itemClass,
            protection: columns.protection,
            primaryKey: columns.primaryKey,
            binding: binding.bytes
        )
    }
}
