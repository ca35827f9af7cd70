import KeychainModel
import Secrets

/// What the owner of a keychain can ask in order to keep it in step with other devices.
///
/// The keychain knows items, and the caller's records. It does not know other devices: that is the
/// business of the caller, who reads the items, compares them with what others have, and puts in
/// what they changed.
///
/// ```
/// mark ▸ did anything change?      read ▸ all items, in portions      verify ▸ is it an item?
/// apply ▸ the others' changes and the caller's records, all of it or nothing
/// ```
///
/// - SeeAlso: Documentation/Spec/sync.md.
package enum SynchronizationRequest: Sendable {
    /// Asks for a number that changes with every write of an item; works in every lock state.
    case mark
    /// The next synchronizable items and tombstones that this device exchanges, by class and row.
    ///
    /// Nil begins. Without content, attributes are empty and there are no values; names, digests
    /// and dates are there all the same. Needs an unlocked device.
    case read(after: SyncCursor?, withContent: Bool)
    /// The items with these names, with their content; needs an unlocked device.
    case contents([[UInt8]])
    /// Asks whether these are items that a device may have sent: attributes that fit the class,
    /// names and digests that fit the content. `replaces` does not matter. Changes nothing, and
    /// works in every lock state.
    ///
    /// `errSecDecode` if one of them is not.
    case verify([SyncedItem])
    /// Puts in what other devices changed, and what the caller keeps, in one transaction.
    ///
    /// Nothing happens unless every item is still what it replaces: the reply is then `conflict`.
    /// Needs an unlocked device if there are items. At most `SyncLimit` at once.
    case apply([SyncedItem], keeping: [SyncRecord])
    /// The next records whose key begins so, in the order of their keys; works in every lock state.
    case records(prefix: [UInt8], after: [UInt8]?)
    /// Removes all records. Items stay.
    case forget
}

/// What is answered to a request about synchronization.
package enum SynchronizationReply: Sendable {
    case mark(UInt64)
    case portion(SyncPortion)
    /// Those that are there and exchanged, in no particular order; `rest` are names to ask for
    /// again, because their content would have made the reply too large.
    case contents([SyncedItem], rest: [[UInt8]])
    case applied(SyncOutcome)
    /// Nothing was changed: the items with these names are not what was to be replaced. The caller
    /// reads the keychain anew and decides again.
    case conflict([[UInt8]])
    /// `isLast` is false if there are more.
    case records([SyncRecord], isLast: Bool)
    case done
}

/// A synchronizable item or tombstone, as devices tell each other.
///
/// - Source: Documentation/Spec/sync.md §1, §2.
package struct SyncedItem: Sendable {
    /// The size of a name and of a digest.
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
    /// As item.md §4 encodes them; of a tombstone the primary key and the dates.
    ///
    /// Empty if the item was read without content.
    package var attributes: [UInt8]
    /// nil for a tombstone, and if the item was read without content.
    package var value: SharedSecret?
    /// The digest of the item that the keychain has to have in its place; nil for none.
    ///
    /// Only in `apply`.
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

/// Where reading goes on: behind this row of this class.
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
    /// Where to go on; nil after the last item.
    package var next: SyncCursor?
    /// How many synchronizable rows of this portion do not open.
    ///
    /// Their items count as absent, but nobody deleted them: as long as there are any, an item that
    /// is not read may be one of them.
    package var damagedCount = 0

    package init() {}
}

/// What became of changes from other devices.
package struct SyncOutcome: Sendable, Hashable {
    /// How many items were put in; one that the keychain has already counts too.
    package var appliedCount = 0
    /// Names of items that this device does not exchange: it is left as it is.
    ///
    /// `SystemProfile.exchanges(_:)` says so ahead.
    package var ignored: [[UInt8]] = []
    /// The mark of the rows right before the transaction, so that the caller knows whether somebody
    /// else wrote since it read.
    package var markBefore: UInt64 = 0
    /// The mark of the rows after it.
    package var mark: UInt64 = 0

    package init() {}
}

/// Something that the caller keeps in the keychain's database.
///
/// It changes together with the items. The keychain does not know what it means; the caller seals
/// it.
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

/// How much goes into one request of synchronization.
package enum SyncLimit {
    /// Items, and also names.
    package static let itemCount = 512
    /// Bytes of attributes and values together, unless there is one item only.
    package static let byteCount = 8 << 20
    /// Values of more than 4096 bytes.
    package static let largeValueCount = 64
    package static let largeValueByteCount = 4096
    package static let recordCount = 4096
    package static let recordKeyByteCount = 256
    package static let recordByteCount = 1 << 20
    /// Bytes of all records together, unless there is one record only.
    package static let recordsByteCount = 6 << 20
}
