import KeychainModel

/// The columns of a row that are readable without a key; searches use them.
///
/// All of them are associated data of the sealed attributes, so a row that was edited, or assembled
/// from two others, does not open.
package struct ItemColumns: Sendable, Hashable {
    package let itemClass: ItemClass
    /// 16 bytes: the digest of the primary key.
    package var primaryKey: [UInt8]
    package var protection: ProtectionClass
    package var isSynchronizable: Bool
    package var isTombstone: Bool
    /// 16 random bytes: the persistent reference.
    package var reference: [UInt8]
    /// 16 bytes for each attribute that is set.
    package var digests: DigestColumns
    /// The digest of the public key's hash, 16 bytes, for a key whose owner chose its label.
    package var publicKey: [UInt8]?
}

extension ItemColumns {
    /// The digest of the access group; nil for a row that was edited.
    var groupDigest: [UInt8]? {
        let place = Schema.digestColumns(of: itemClass).firstIndex(of: .accessGroup)
        return place.flatMap { digests[$0] }
    }
}

/// A row to write: columns and two sealed halves.
package struct SealedItem: Sendable, Hashable {
    package var columns: ItemColumns
    /// The sealed attributes.
    package var metadata: [UInt8]
    /// The sealed value; nil for a tombstone.
    package var secret: [UInt8]?
    /// 16 bytes for each pair of an item to write; empty for a row that was read.
    package var pairs: [[UInt8]] = []
}

/// A row as read from the database.
package struct SealedRow: Sendable, Hashable {
    package let row: Int64
    package var item: SealedItem
}
