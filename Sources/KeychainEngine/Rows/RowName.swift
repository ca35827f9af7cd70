import KeychainModel

/// The associated data of a value, which tie it to its row.
///
/// The digest of the primary key represents class, access group and synchronizable, under a key
/// that no file contains. The binding identifies the write. All other columns are bound to the
/// attributes, whose half has the same binding.
/// - Source: Documentation/Spec/item.md §4.
struct RowName<Bytes: Collection<UInt8>> {
    let itemClass: ItemClass
    let protection: ProtectionClass
    /// 16 bytes: the digest of the primary key.
    let primaryKey: Bytes
    /// 16 random bytes, new with every write.
    let binding: Bytes

    /// version ‖ class letters ‖ protection class ‖ primary key ‖ binding, the last two with a
    /// count.
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
