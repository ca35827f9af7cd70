import KeychainModel

/// An item's attributes in the clear: what the metadata half holds.
///
/// The value of `kSecValueData` is not here: it travels as a `Secret`.
struct PlainItem: Sendable {
    let itemClass: ItemClass
    /// Every attribute that is set, dates included; not group, protection, sync and tomb.
    var attributes: AttributeValues
    var accessGroup: String
    var protection: ProtectionClass
    var accessControl: AccessControl?
    var isSynchronizable: Bool
    var isTombstone = false
    /// 16 random bytes.
    var reference: [UInt8]
    /// Of a key whose label is its owner's own: SHA-1 of its public key, by which identities form.
    var publicKeyHash: [UInt8]?
    /// Whether it was added without a value, which is not the same as an empty one.
    var hasNoValue = false

    /// The attributes that live in fields of their own, in the order of their letters.
    static let columnAttributes: [Attribute] = [
        .accessControl, .accessGroup, .accessible, .synchronizable, .tombstone,
    ]

    /// A value by its attribute, whichever field it lives in; the access control that the item has
    /// or is as good as.
    subscript(attribute: Attribute) -> AttributeValue? {
        switch attribute {
        case .accessControl:
            .accessControl(accessControl ?? AccessControl(protection: protection))
        case .accessGroup: .string(accessGroup)
        case .accessible: .string(protection.code)
        case .synchronizable: .number(isSynchronizable ? 1 : 0)
        case .tombstone: .number(isTombstone ? 1 : 0)
        default: attributes[attribute]
        }
    }

    /// The free attributes; none for most items.
    var pairs: LookupPairs {
        guard case .data(let bytes)? = attributes[.lookupPairs] else { return LookupPairs() }
        return LookupPairs(encoded: bytes) ?? LookupPairs()
    }

    /// Whether the value is the handle of a key that is in the secure element.
    var isElementKey: Bool {
        itemClass == .key && attributes[.tokenID] == .string(ElementKeyHandle.tokenID)
    }

    /// Labels a key with the hash of its public key; a label of the owner's own stays, and the hash
    /// is remembered beside it.
    mutating func identify(byPublicKey hash: [UInt8], label: AttributeValue?) {
        let label = label ?? .data(hash)
        attributes[.applicationLabel] = label
        publicKeyHash = label == .data(hash) ? nil : hash
    }

    /// What a tombstone remembers: the primary key and the dates.
    var asTombstone: PlainItem {
        var tombstone = self
        let kept = Set(Schema.primaryKey(of: itemClass) + [.creationDate, .modificationDate])
        tombstone.attributes = attributes.filter { kept.contains($0.key) }
        tombstone.accessControl = nil
        tombstone.publicKeyHash = nil
        tombstone.hasNoValue = false
        tombstone.isTombstone = true
        return tombstone
    }
}
