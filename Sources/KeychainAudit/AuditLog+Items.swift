import Cryptography
import KeychainModel

extension AuditLog {
    /// The size of an item's digest in bytes.
    package static let itemDigestByteCount = 8

    /// A keyed digest of the primary key that a call names, group and synchronizability left out.
    ///
    /// - Parameters:
    ///   - itemClass: The class.
    ///   - dictionary: The query, or the attributes to add.
    ///   - isAdd: Whether attributes that are missing count as empty, as in a new item.
    /// - Returns: 8 bytes; none if the call does not name a whole primary key.
    /// - Source: Documentation/Spec/log.md §3.
    package func itemDigest(
        _ itemClass: ItemClass,
        _ dictionary: AttributeDictionary,
        isAdd: Bool = false
    ) -> [UInt8] {
        let parts = zip(
            Schema.primaryKey(of: itemClass),
            Schema.primaryKeyKinds(of: itemClass)
        ).filter { $0.0 != .accessGroup && $0.0 != .synchronizable }
        guard !parts.isEmpty else { return [] }
        var message = Array(itemClass.rawValue.utf8)
        var isAnyGiven = false
        for (attribute, kind) in parts {
            let given = dictionary[attribute].flatMap { Coercion.coerce($0, to: kind) }
            guard let value = given ?? (isAdd ? Coercion.emptyValue(of: kind) : nil) else {
                return []
            }
            if given != nil { isAnyGiven = true }
            let bytes = Coercion.canonicalBytes(of: value, kind: kind)
            message += attribute.rawValue.utf8
            message += withUnsafeBytes(of: UInt64(bytes.count).bigEndian, Array.init)
            message += bytes
        }
        guard isAnyGiven else { return [] }
        let digest = try? keys.items.authenticate(message, byteCount: Self.itemDigestByteCount)
        return digest ?? []
    }
}
