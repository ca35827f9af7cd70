import KeychainModel

/// What a row shows without any key: the columns by which it is found.
///
/// All of it is the associated data of both sealed halves, so a row that was edited or put
/// together from two others does not open.
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
    /// 16 bytes for a key whose label is its owner's own: the digest of its public key's hash.
    package var publicKey: [UInt8]?
}

extension ItemColumns {
    /// The digest of the access group; nil for a row that was edited.
    var groupDigest: [UInt8]? {
        let place = Schema.digestColumns(of: itemClass).firstIndex(of: .accessGroup)
        return place.flatMap { digests[$0] }
    }
}

/// A row to write: columns, and halves that only their keys open.
package struct SealedItem: Sendable, Hashable {
    package var columns: ItemColumns
    /// The sealed attributes.
    package var metadata: [UInt8]
    /// The sealed value; nil for a tombstone.
    package var secret: [UInt8]?
    /// 16 bytes for each pair of an item that is to be written; of a row that was read, none.
    package var pairs: [[UInt8]] = []
}

/// A row as it was read.
package struct SealedRow: Sendable, Hashable {
    package let row: Int64
    package var item: SealedItem
}
