import Cryptography
import Secrets

/// The content of an item as devices exchange it.
///
/// - Source: Documentation/Spec/sync.md §4.1, §4.2.
package struct ItemContent: Sendable {
    /// The class in four letters, such as `genp`.
    package let classLetters: String
    /// The number of the protection class (item.md §1).
    package let protection: UInt8
    package let isTombstone: Bool
    /// The encoded attributes (item.md §4); a tombstone has only its primary key and dates.
    package let attributes: [UInt8]
    /// The secret value; nil for a tombstone.
    package let value: SharedSecret?

    package init(
        classLetters: String,
        protection: UInt8,
        isTombstone: Bool,
        attributes: [UInt8],
        value: SharedSecret?
    ) {
        self.classLetters = classLetters
        self.protection = protection
        self.isTombstone = isTombstone
        self.attributes = attributes
        self.value = value
    }
}

/// A change of an item, with its content.
package struct ItemChange: Sendable {
    package let mark: ChangeMark
    package let content: ItemContent

    package init(_ mark: ChangeMark, _ content: ItemContent) {
        self.mark = mark
        self.content = content
    }
}

extension ItemContent {
    /// Returns the digest of a tombstone, which has no value.
    ///
    /// - Source: Documentation/Spec/sync.md §4.2.
    package func tombstoneDigest() throws(SyncError) -> SyncDigest {
        var message = FieldWriter()
        message.append(classLetters.utf8)
        message.append(protection)
        message.append(true)
        try message.append(attributes, countedBy: UInt32.self)
        let bytes = message.bytes()
        return try backed { () throws(CryptographyError) in try SyncDigest(of: bytes) }
    }
}
