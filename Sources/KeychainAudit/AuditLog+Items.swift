import Cryptography
import KeychainModel

extension AuditLog {
    /// The size of an item's digest in bytes.
    package static let itemDigestByteCount = 8

    /// Returns a keyed digest of the primary key that a call names, without group and
    /// synchronizability.
    ///
    /// - Parameters:
    ///   - itemClass: The class.
    ///   - dictionary: The query, or the attributes to add.
    ///   - isAdd: Whether missing attributes count as empty, as in a new item.
    /// - Returns: 8 bytes; none if the call does not name a complete primary key.
    /// - Source: Documentation/Spec/log.md §3.
    package func itemDigest(
        _ itemClass: ItemClass,
        _ dictionary: AttributeDictionary,
        isAdd: Bool = false
    ) -> [UInt8] {
        let (attributes, kinds) = (
            Schema.primaryKey(of: itemClass), Schema.primaryKeyKinds(of: itemClass)
        )
        var message: [UInt8] = []
        message.reserveCapacity(Self.usualByteCount)
        message.append(contentsOf: itemClass.rawValue.utf8)
        var isAnyGiven = false
        for (attribute, kind) in zip(attributes, kinds)
        where attribute != .accessGroup && attribute != .synchronizable {
            let given = dictionary[attribute].flatMap { Coercion.coerce($0, to: kind) }
            guard let value = given ?? (isAdd ? Coercion.emptyValue(of: kind) : nil) else {
                return []
            }
            if given != nil { isAnyGiven = true }
            message.append(contentsOf: attribute.rawValue.utf8)
            Self.append(value, kind, to: &message)
        }
        guard isAnyGiven else { return [] }
        let digest = try? keys.items.authenticate(message, byteCount: Self.itemDigestByteCount)
        return digest ?? []
    }

    /// The usual size of a digest's message, so that it is allocated once.
    private static let usualByteCount = 192

    /// Appends the canonical bytes of a value after their count.
    private static func append(
        _ value: AttributeValue,
        _ kind: AttributeKind,
        to message: inout [UInt8]
    ) {
        let place = message.count
        message.append(contentsOf: repeatElement(0, count: 8))
        Coercion.appendCanonicalBytes(of: value, kind: kind, to: &message)
        let count = UInt64(message.count - place - 8).bigEndian
        message.withUnsafeMutableBytes { bytes in
            bytes.storeBytes(of: count, toByteOffset: place, as: UInt64.self)
        }
    }
}
