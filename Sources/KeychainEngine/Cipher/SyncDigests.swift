import Cryptography
import KeychainMessages
import KeychainModel
import Secrets

/// The names and digests of items in synchronization; they need no key, so all devices agree.
///
/// - Source: Documentation/Spec/sync.md §1, §2.
enum SyncDigests {
    /// Returns the SHA-256 of the primary key's message.
    static func name(of item: PlainItem) throws(KeychainError) -> [UInt8] {
        try fromCryptography(try Digest.sha256(PrimaryKeyMessage(of: item).bytes))
    }

    /// Returns the SHA-256 of class, protection class, attributes and value.
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
    /// Whether the item may travel to other devices, judged by the item itself.
    ///
    /// Such an item also leaves with a backup, and only the lock state guards it. An item that
    /// other devices would refuse stays here, because they would refuse everything sent with it.
    var isExchanged: Bool {
        isSynchronizable && !protection.isThisDeviceOnly && accessControl == nil
            && attributes[.tokenID] == nil && hasFittingAttributes
    }

    /// Returns the item as other devices receive it, with its value.
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
    /// Creates an item from another device; it has no persistent reference yet.
    ///
    /// - Throws: `errSecDecode` for an item that no device of ours would send: one with attributes
    ///   that the class lacks or of another kind, one that never travels, or one whose name or
    ///   digest does not match its content.
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
            // The encoding is canonical: attributes are sorted, and each occurs once.
            ItemFormat.encode(item) == synced.attributes,
            try SyncDigests.name(of: item) == synced.name,
            try SyncDigests.digest(of: synced) == synced.digest
        else { throw .changedSyncedItem }
        self = item
    }

    /// Whether a device of ours could have stored the attributes.
    ///
    /// An attribute that no class has belongs to a later version, and is kept unchanged.
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
    /// The error for an item of another device that does not match its name or digest.
    static var changedSyncedItem: KeychainError {
        KeychainError(
            .decode,
            "another device sent an item whose attributes or digest do not fit its content"
        )
    }
}
