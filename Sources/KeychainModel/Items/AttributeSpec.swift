/// The rules by which values of an attribute are coerced, stored and compared.
///
/// - Source: Documentation/Spec/item.md §2, the coercion table.
package enum AttributeKind: Sendable, Hashable {
    /// Text; data is decoded as UTF-8.
    case string
    /// Bytes; text becomes its UTF-8 bytes, a number its 4 little-endian bytes.
    case data
    /// Data, text or number, kept and returned as given; compared by its bytes.
    case blob
    /// A number; booleans become 0 or 1, decimal text becomes its number, other text stays text.
    case number
    /// Seconds since 2001-01-01T00:00:00Z.
    case date
    /// A `kSecAttrAccessible` value.
    case accessible
    /// A `SecAccessControl`.
    case accessControl
    /// 0 or 16 bytes.
    case uuid
    /// The bytes of `LookupPairs`.
    case pairs
}

/// Further properties of an attribute.
package struct AttributeTraits: OptionSet, Sendable, Hashable {
    package let rawValue: UInt16
    package init(rawValue: UInt16) { self.rawValue = rawValue }

    /// Part of the primary key: two live items of a class never share all of these.
    package static let primaryKey = AttributeTraits(rawValue: 1 << 0)
    /// Has a digest column, so queries can filter by it.
    package static let searchable = AttributeTraits(rawValue: 1 << 1)
    /// An omitted value is stored as the empty value of its kind (empty text, no bytes, 0).
    package static let defaulted = AttributeTraits(rawValue: 1 << 2)
    /// Set by the keychain; a value in an add is ignored.
    package static let systemManaged = AttributeTraits(rawValue: 1 << 3)
    /// Not part of the result of an add.
    package static let hiddenFromAdd = AttributeTraits(rawValue: 1 << 4)
    /// Refused in every dictionary with `errSecParam`.
    package static let refused = AttributeTraits(rawValue: 1 << 6)
    /// Reserved for programs with a private entitlement, which no program has here.
    package static let privileged = AttributeTraits(rawValue: 1 << 7)
    /// Has a plain integer column of its own instead of a digest.
    package static let plainColumn = AttributeTraits(rawValue: 1 << 8)
    /// Silently ignored in an update.
    package static let ignoredInUpdate = AttributeTraits(rawValue: 1 << 9)
    /// Has digests in a table of their own, one for each pair.
    package static let pairTable = AttributeTraits(rawValue: 1 << 10)
    /// For our own programs: Keychain Services neither accepts nor returns it.
    package static let hiddenFromServices = AttributeTraits(rawValue: 1 << 11)
}

/// One row of the schema: an attribute, its kind, the classes that have it, and its traits.
package struct AttributeSpec: Sendable, Hashable {
    package let attribute: Attribute
    package let kind: AttributeKind
    package let classes: Set<ItemClass>
    package let traits: AttributeTraits
    /// Apple's constant, such as `kSecAttrAccount`; nil if there is no public one.
    package let constant: String?

    package init(
        _ attribute: Attribute,
        _ constant: String?,
        _ kind: AttributeKind,
        _ classes: Set<ItemClass>,
        _ traits: AttributeTraits
    ) {
        self.attribute = attribute
        self.constant = constant
        self.kind = kind
        self.classes = classes
        self.traits = traits
    }
}
