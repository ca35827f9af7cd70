import Cryptography
import KeychainMessages
import KeychainModel
import Secrets

/// The names and digests by which devices tell each other of items: without a key, and so the same
/// on all of them.
///
/// - Source: Documentation/Spec/sync.md §1, §2.
enum SyncDigests {
    /// SHA-256 of the primary key's message.
    static func name(of item: PlainItem) throws(KeychainError) -> [UInt8] {
        try fromCryptography(try Digest.sha256(PrimaryKeyMessage(of: item).bytes))
    }

    /// SHA-256 of class, protection class, attributes and value.
    static func digest(of item: SyncedItem) throws(KeychainError) -> [UInt8] {
        var head = Array(item.itemClass.rawValue.utf8)
        head.append(item.protection.rawValue)
        head.append(item.isTombstone ? 1 : 0)
        withUnsafeBytes(of: UInt32(clamping: item.attributes.count).bigEndian) { head += $0 }
        return try fromCryptography(try digest(head + item.attributes, item.value))
    }

    private static func digest(
        _ message: [UInt8],
        _ value: SharedSecret?
    ) throws(CryptographyError) -> [UInt8] {
        let stream = try DigestStream()
        try message.withUnsafeBufferPointer { bytes throws(CryptographyError) in
            try stream.update(UnsafeRawBufferPointer(bytes))
        }
        try value?.secret.withUnsafeBytes { bytes throws(CryptographyError) in
            try stream.update(bytes)
        }
        return try stream.finish()
    }
}

extension PlainItem {
    /// Whether devices tell each other of the item, as far as the item decides that: it leaves with
    /// a backup too, and nothing but the lock state guards it.
    ///
    /// What the others would refuse is not told: it would spoil all that is told with it.
    var isExchanged: Bool {
        isSynchronizable && !protection.isThisDeviceOnly && accessControl == nil
            && attributes[.tokenID] == nil && hasFittingAttributes
    }

    /// The item as devices tell each other, with its content.
    func synced(_ value: SharedSecret?) throws(KeychainError) -> SyncedItem {
        var synced = SyncedItem(
            name: try SyncDigests.name(of: self),
            digest: [],
            itemClass: itemClass,
            protection: protection,
            isTombstone: isTombstone,
            modified: modificationDate,
            attributes: ItemFormat.encode(self),
            value: value
        )
        synced.digest = try SyncDigests.digest(of: synced)
        return synced
    }
}

extension PlainItem {
    /// An item that another device sent; it has no persistent reference yet.
    ///
    /// - Throws: `errSecDecode` for what no device would send: attributes that the class does not
    ///   have, or of another kind; what is never exchanged; another name or digest than the
    ///   content's.
    init(receiving synced: SyncedItem) throws(KeychainError) {
        guard synced.itemClass != .identity, (synced.value == nil) == synced.isTombstone else {
            throw .changedSyncedItem
        }
        let columns = ItemColumns(
            itemClass: synced.itemClass,
            primaryKey: [],
            protection: synced.protection,
            isSynchronizable: true,
            isTombstone: synced.isTombstone,
            reference: [],
            digests: DigestColumns(capacity: 0)
        )
        let decoded = synced.attributes.withUnsafeBytes { ItemFormat.decode($0, of: columns) }
        guard let item = decoded, item.isExchanged,
            // The same attributes have one form: sorted, each once.
            ItemFormat.encode(item) == synced.attributes,
            try SyncDigests.name(of: item) == synced.name,
            try SyncDigests.digest(of: synced) == synced.digest
        else { throw .changedSyncedItem }
        self = item
    }

    /// Whether a device of ours could have stored the attributes.
    ///
    /// Attributes that no class has are those of a later version: they are kept as they are.
    private var hasFittingAttributes: Bool {
        guard !accessGroup.isEmpty, attributes[.creationDate] != nil,
            attributes[.modificationDate] != nil
        else { return false }
        if isTombstone, hasNoValue || asTombstone.attributes.count != attributes.count {
            return false
        }
        return zip(attributes.keys, attributes.values).allSatisfy { attribute, value in
            guard !Self.columnAttributes.contains(attribute) else { return false }
            guard let spec = Schema.spec(attribute, in: itemClass) else {
                return !Self.known.contains(attribute)
            }
            return Coercion.coerce(value, to: spec.kind) == value
        }
    }

    /// The attributes of all classes.
    private static let known = Set(Schema.rows.map(\.attribute))
}

extension KeychainError {
    /// An item of another device that is none.
    static var changedSyncedItem: KeychainError {
        KeychainError(
            .decode,
            "another device sent an item whose attributes or digest do not fit its content"
        )
    }
}
