import KeychainModel

@testable import KeychainEngine

extension FuzzTarget {
    /// The entries of a metadata half after it was opened; the first byte chooses the class.
    ///
    /// What is read and written is read again as it was, and has a place in the store.
    static let itemFormat = FuzzTarget(name: "item-format") { bytes throws(BrokenLaw) in
        let classes = ItemClass.stored
        let columns = ItemColumns(
            itemClass: classes[Int(bytes.first ?? 0) % classes.count],
            primaryKey: [UInt8](repeating: 1, count: 16),
            protection: .whenUnlocked,
            isSynchronizable: false,
            isTombstone: false,
            reference: [UInt8](repeating: 2, count: 16),
            digests: []
        )
        guard let item = decode(bytes.dropFirst(), columns) else { return .refused }
        let written = ItemFormat.encode(item)
        guard let again = decode(written[...], columns) else {
            throw BrokenLaw(law: "what was written is read")
        }
        try require(ItemFormat.encode(again) == written, "what was written is read as it was")
        guard let found = try? ItemFixture.shared.digests.columns(of: item) else {
            throw BrokenLaw(law: "an item that was read has columns")
        }
        let columnCount = Schema.digestColumns(of: item.itemClass).count
        try require(found.digests.count == columnCount, "every column has a digest or none")
        return .accepted
    }

    private static func decode(
        _ bytes: ArraySlice<UInt8>,
        _ columns: ItemColumns
    ) -> PlainItem? {
        bytes.withUnsafeBytes { ItemFormat.decode($0, of: columns) }
    }
}
