/// The bytes of `kSecValuePersistentRef`: an item class and the identity of a row.
///
/// - Source: requirements QRY-26 and QRY-30; Documentation/Spec/item.md §5.
package struct PersistentReference: Sendable, Hashable {
    /// The identity of the row.
    package enum Target: Sendable, Hashable {
        /// 16 random bytes, created when the item is added.
        case uuid([UInt8])
        /// The older form: the number of the row.
        case row(Int64)
    }

    package static let uuidByteCount = 16

    package let itemClass: ItemClass
    package let target: Target

    package init(itemClass: ItemClass, uuid: [UInt8]) {
        self.itemClass = itemClass
        self.target = .uuid(uuid)
    }

    /// Parses 20 bytes (class, uuid) or 12 bytes (class, big-endian row number).
    ///
    /// - Returns: nil for any other length or an unknown class.
    package init?(decoding bytes: [UInt8]) {
        guard
            bytes.count == 4 + Self.uuidByteCount || bytes.count == 12,
            let letters = String(validating: bytes[..<4], as: UTF8.self),
            let itemClass = ItemClass(rawValue: letters)
        else { return nil }
        self.itemClass = itemClass
        let rest = bytes[4...]
        if bytes.count == 12 {
            let number = rest.reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
            self.target = .row(Int64(truncatingIfNeeded: number))
        } else {
            self.target = .uuid(Array(rest))
        }
    }

    /// 20 bytes for a uuid, 12 for a row number.
    package var encoded: [UInt8] {
        switch target {
        case .uuid(let uuid): Array(itemClass.rawValue.utf8) + uuid
        case .row(let number):
            Array(itemClass.rawValue.utf8) + withUnsafeBytes(of: number.bigEndian) { Array($0) }
        }
    }
}
