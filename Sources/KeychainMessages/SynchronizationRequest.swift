import KeychainModel
import Secrets

/// A request of the program that keeps a keychain in step with other devices.
///
/// The keychain stores items, and the caller's records. It does not know other devices. The caller
/// reads the items, compares them with those of other devices, and applies their changes.
///
/// ```
/// mark ▸ did anything change?      read ▸ all items, in portions      verify ▸ is it an item?
/// apply ▸ the others' changes and the caller's records, all of it or nothing
/// ```
///
/// - SeeAlso: Documentation/Spec/sync.md.
package enum SynchronizationRequest: Sendable {
    /// Returns a number that changes with every write of an item; works in every lock state.
    case mark
    /// Returns the next synchronizable items and tombstones of this device, by class and row.
    ///
    /// A nil cursor starts from the beginning. Without content, attributes and values are empty,
    /// but names, digests and dates are complete. It requires an unlocked device.
    case read(after: SyncCursor?, withContent: Bool)
    /// Returns the items with these names, with content; requires an unlocked device.
    case contents([[UInt8]])
    /// Checks whether another device may have sent these items.
    ///
    /// Their attributes must fit the class, and their names and digests the content; `replaces` is
    /// ignored. It changes nothing, and works in every lock state. It fails with `errSecDecode` if
    /// one of them is invalid.
    case verify([SyncedItem])
    /// Applies the changes of other devices and stores the caller's records, in one transaction.
    ///
    /// If an item is not the one that its change replaces, nothing happens, and the reply is
    /// `conflict`. Items require an unlocked device. `SyncLimit` limits the request.
    case apply([SyncedItem], keeping: [SyncRecord])
    /// Returns the next records by key prefix, in the order of their keys; works in every lock
    /// state.
    case records(prefix: [UInt8], after: [UInt8]?)
    /// Removes all records; items stay.
    case forget
}

/// The reply to a synchronization request.
package enum SynchronizationReply: Sendable {
    case mark(UInt64)
    case portion(SyncPortion)
    /// The items that exist and are exchanged, in no particular order.
    ///
    /// `rest` contains names to request again, because their content would exceed a reply.
    case contents([SyncedItem], rest: [[UInt8]])
    case applied(SyncOutcome)
    /// Nothing was changed, because the items with these names are not those to be replaced.
    ///
    /// The caller reads the keychain again and decides again.
    case conflict([[UInt8]])
    /// Records, and whether they are the last ones.
    case records([SyncRecord], isLast: Bool)
    case done
}

/// A synchronizable item or tombstone, as devices exchange it.
///
/// - Source: Documentation/Spec/sync.md §1, §2.
package struct SyncedItem: Sendable {
    /// The size of a name and of a digest in bytes.
    package static let digestByteCount = 32

    /// SHA-256 of the primary key's message, 32 bytes.
    package var name: [UInt8]
    /// SHA-256 of class, protection class, attributes and value, 32 bytes.
    package var digest: [UInt8]
    package var itemClass: ItemClass
    package var protection: ProtectionClass
    package var isTombstone: Bool
    /// The modification date, in seconds since 2001.
    package var modified: Double
    /// The attributes as encoded by item.md §4; of a tombstone, the primary key and the dates.
    ///
    /// Empty if the item was read without content.
    package var attributes: [UInt8]
    /// nil for a tombstone, and if the item was read without content.
    package var value: SharedSecret?
    /// The digest of the item to be replaced in the keychain; nil if there should be none.
    ///
    /// Only `apply` uses it.
    package var replaces: [UInt8]?

    package init(
        name: [UInt8],
        digest: [UInt8],
        itemClass: ItemClass,
        protection: ProtectionClass,
        isTombstone: Bool,
        modified: Double,
        attributes: [UInt8] = [],
        value: SharedSecret? = nil,
        replaces: [UInt8]? = nil
    ) {
        self.name = name
        self.digest = digest
        self.itemClass = itemClass
        self.protection = protection
        self.isTombstone = isTombstone
        self.modified = modified
        self.attributes = attributes
        self.value = value
        self.replaces = replaces
    }
}

/// The position at which reading continues: after this row of this class.
package struct SyncCursor: Sendable, Hashable {
    package let itemClass: ItemClass
    package let row: Int64

    package init(_ itemClass: ItemClass, row: Int64) {
        self.itemClass = itemClass
        self.row = row
    }
}

/// The next items of a keychain.
package struct SyncPortion: Sendable {
    package var items: [SyncedItem] = []
    /// The position at which to continue; nil after the last item.
    package var next: SyncCursor?
    /// The number of synchronizable rows in this portion that do not open.
    ///
    /// Their items count as absent, but were not deleted. As long as there are any, a missing
    /// item may be one of them.
    package var damagedCount = 0

    package init() {}
}

/// The outcome of applying changes from other devices.
package struct SyncOutcome: Sendable, Hashable {
    /// The number of applied items, including those that the keychain already had.
    package var appliedCount = 0
    /// The names of items that this device does not exchange; they were left unchanged.
    ///
    /// `SystemProfile.exchanges(_:)` predicts this.
    package var ignored: [[UInt8]] = []
    /// The mark of the rows right before the transaction.
    ///
    /// With it the caller sees whether another program wrote since its last read.
    package var markBefore: UInt64 = 0
    /// The mark of the rows after it.
    package var mark: UInt64 = 0

    package init() {}
}

/// A record of the caller in the keychain's database.
///
/// It changes together with the items. It is opaque to the keychain, because the caller seals it.
package struct SyncRecord: Sendable, Hashable {
    /// 1 to 256 bytes.
    package let key: [UInt8]
    /// At most 1 MiB; nil removes the record.
    package let value: [UInt8]?

    package init(key: [UInt8], value: [UInt8]?) {
        self.key = key
        self.value = value
    }
}

/// The limits of one synchronization request.
package enum SyncLimit {
    /// The number of items or of names.
    package static let itemCount = 512
    /// The bytes of attributes and values together, unless there is only one item.
    package static let byteCount = 8 << 20
    /// The number of values of more than 4096 bytes.
    package static let largeValueCount = 64
    package static let largeValueByteCount = 4096
    package static let recordCount = 4096
    package static let recordKeyByteCount = 256
    package static let recordByteCount = 1 << 20
    /// The bytes of all records together, unless there is only one record.
    package static let recordsByteCount = 6 << 20
}
