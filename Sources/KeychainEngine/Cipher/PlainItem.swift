import KeychainModel

/// An item's attributes in the clear, as the metadata half contains them.
///
/// The value of `kSecValueData` is not among them: it travels as a `Secret`.
struct PlainItem: Sendable {
    let itemClass: ItemClass
    /// Every attribute that is set, including dates, except those in `columnAttributes`.
    var attributes: AttributeValues
    var accessGroup: String
    var protection: ProtectionClass
    var accessControl: AccessControl?
    var isSynchronizable: Bool
    var isTombstone = false
    /// 16 random bytes.
    var reference: [UInt8]
    /// SHA-1 of the public key, for identities; nil unless the owner chose the label of the key.
    var publicKeyHash: [UInt8]?
    /// Whether the item was added without a value, which differs from an empty value.
    var hasNoValue = false

    /// The attributes that have fields of their own, in the order of their letters.
    static let columnAttributes: [Attribute] = [
        .accessControl, .accessGroup, .accessible, .synchronizable, .tombstone,
    ]

    /// The value of an attribute, whichever field stores it.
    ///
    /// An item without an access control returns the one that its protection class amounts to.
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

    /// The pairs; most items have none.
    var pairs: LookupPairs {
        guard case .data(let bytes)? = attributes[.lookupPairs] else { return LookupPairs() }
        return LookupPairs(encoded: bytes) ?? LookupPairs()
    }

    /// Whether the value is the handle of a key in the secure element.
    var isElementKey: Bool {
        itemClass == .key && attributes[.tokenID] == .string(ElementKeyHandle.tokenID)
    }

    /// Labels a key with the hash of its public key.
    ///
    /// A label that the owner chose stays, and the item remembers the hash beside it.
    mutating func identify(byPublicKey hash: [UInt8], label: AttributeValue?) {
        let label = label ?? .data(hash)
        attributes[.applicationLabel] = label
        publicKeyHash = label == .data(hash) ? nil : hash
    }

    /// The tombstone of the item, which keeps only the primary key and the dates.
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
