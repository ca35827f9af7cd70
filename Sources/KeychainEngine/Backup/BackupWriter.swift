import Cryptography
import DataProtection
import KeychainModel
import Secrets

/// A writer of the parts of a backup, in order; the caller stores them.
///
/// - Source: Documentation/Spec/backup.md §2.
struct BackupWriter: ~Copyable {
    /// The first part.
    var header: [UInt8] { parts.keybag.header }

    private var parts: BackupParts

    init(_ parts: consuming BackupParts) { self.parts = parts }

    /// Whether items of the class can be written.
    func takes(_ protection: ProtectionClass) -> Bool { parts.keybag.isOpen(protection) }

    /// Returns the next record.
    ///
    /// - Throws: `errSecDataTooLarge` for an item of more than a gigabyte.
    mutating func part(
        for item: PlainItem,
        _ value: borrowing Secret
    ) throws(KeychainError) -> [UInt8] {
        let index = parts.count
        let record = parts.record
        let body = try parts.keybag.withKey(item.protection) { key throws(KeychainError) in
            try fromCryptography(try record.seal(item, value, index: index, under: key))
        }
        guard let body else {
            throw KeychainError(.internal, "a backup has no key for \(item.protection.name)")
        }
        guard BackupFormat.recordByteCounts.contains(body.count) else {
            throw KeychainError(.dataTooLarge, "an item is too large for a backup")
        }
        parts.countRecord()
        return try authenticated(BackupFormat.bigEndian(UInt32(clamping: body.count)) + body)
    }

    /// Returns the last part.
    mutating func trailer() throws(KeychainError) -> [UInt8] {
        try authenticated([0, 0, 0, 0] + BackupFormat.bigEndian(parts.count))
    }

    private mutating func authenticated(_ part: [UInt8]) throws(KeychainError) -> [UInt8] {
        part + (try parts.code(of: part))
    }
}
