import KeychainModel

/// What ties a value to its row: the associated data of its half.
///
/// The digest of the primary key names the class, the access group and whether the item is
/// synchronizable, under a key that no file holds; the binding names the writing. All other columns
/// are bound to the attributes, whose half has the same binding.
/// - Source: Documentation/Spec/item.md §4.
struct RowName<Bytes: Collection<UInt8>> {
    let itemClass: ItemClass
    let protection: ProtectionClass
    /// 16 bytes: the digest of the primary key.
    let primaryKey: Bytes
    /// 16 bytes at random, new with every write.
    let binding: Bytes

    /// version ‖ class letters ‖ protection class ‖ primary key ‖ binding, both with their counts.
    var associatedData: [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(48)
        bytes.append(SealedValue.version)
        bytes += itemClass.rawValue.utf8
        bytes.append(protection.rawValue)
        bytes.append(UInt8(clamping: primaryKey.count))
        bytes += primaryKey
        bytes.append(UInt8(clamping: binding.count))
        bytes += binding
        return bytes
    }
}
