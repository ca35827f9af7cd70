import KeychainModel

/// The message whose digest identifies a primary key: each part with its length, in schema order.
///
/// - Source: Documentation/Spec/item.md §3.
struct PrimaryKeyMessage {
    private(set) var bytes: [UInt8] = []

    /// Creates a message without parts.
    init(of itemClass: ItemClass) {
        bytes.reserveCapacity(240)
        append(Self.prefixes[itemClass.index])
    }

    /// Creates the message of an item's whole primary key.
    ///
    /// An attribute that the item lacks counts as the empty value of its kind.
    init(of item: PlainItem) {
        self.init(of: item.itemClass)
        let attributes = Schema.primaryKey(of: item.itemClass)
        for (attribute, kind) in zip(attributes, Schema.primaryKeyKinds(of: item.itemClass)) {
            append(attribute, item[attribute] ?? Coercion.emptyValue(of: kind), as: kind)
        }
    }

    /// The letters `pkey` and those of the class, by the index of the class.
    private static let prefixes = ItemClass.allCases.map { itemClass in
        let letters = Attribute(rawValue: itemClass.rawValue)
        return UInt64(Attribute(rawValue: "pkey").code) << 32 | UInt64(letters.code)
    }

    /// Appends the next part.
    mutating func append(_ attribute: Attribute, _ value: AttributeValue, as kind: AttributeKind) {
        // The attribute's letters, then four bytes for the length.
        append(UInt64(attribute.code) << 32)
        let start = bytes.count
        Coercion.appendCanonicalBytes(of: value, kind: kind, to: &bytes)
        let count = UInt32(clamping: bytes.count - start)
        bytes.withUnsafeMutableBytes {
            $0.storeBytes(of: count.littleEndian, toByteOffset: start - 4, as: UInt32.self)
        }
    }

    /// Appends eight bytes in big-endian order.
    private mutating func append(_ number: UInt64) {
        withUnsafeBytes(of: number.bigEndian) { bytes.append(contentsOf: $0) }
    }
}
