import KeychainModel

extension RowName<[UInt8]> {
    /// Creates the name of a row that was read completely, or that is about to be written.
    init(_ columns: ItemColumns, _ binding: ItemCipher.Binding) {
        self.init(
            itemClass: columns.itemClass,
            protection: columns.protection,
            primaryKey: columns.primaryKey,
            binding: binding.bytes
        )
    }
}
