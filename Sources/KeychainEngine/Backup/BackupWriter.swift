import Cryptography
import DataProtection
import KeychainModel
import Secrets

/// Makes the parts of a backup, in their order; the caller writes them.
///
/// - Source: Documentation/Spec/backup.md §2.
struct BackupWriter: ~Copyable {
    /// The first part.
    var header: [UInt8] { keybag.header }

    private let keybag: BackupKeybag
    private let record: BackupRecord
    private var chain: BackupChain
    private var count: UInt64 = 0

    init(
        keybag: consuming BackupKeybag,
        password: borrowing BackupPassword,
        cipher: ItemCipher
    ) throws(CryptographyError) {
        chain = try BackupChain(
            key: password.authenticationKey,
            headerCode: keybag.headerCode
        )
        record = BackupRecord(headerCode: keybag.headerCode, cipher: cipher)
        self.keybag = keybag
    }

    /// Whether items of the class can be written.
    func takes(_ protection: ProtectionClass) -> Bool { keybag.isOpen(protection) }

    /// The next record.
    ///
    /// - Throws: `errSecDataTooLarge` for an item of more than a gigabyte.
    mutating func part(
        for item: PlainItem,
        _ value: borrowing Secret
    ) throws(KeychainError) -> [UInt8] {
        let index = count
        let record = record
        let body = try visit { () throws(CryptographyError) in
            try keybag.withKey(item.protection) { key throws(CryptographyError) in
                try record.seal(item, value, index: index, under: key)
            }
        }
        guard let body else {
            throw KeychainError(.internal, "a backup has no key for class \(item.protection.code)")
        }
        guard BackupFormat.recordByteCounts.contains(body.count) else {
            throw KeychainError(.dataTooLarge, "an item is too large for a backup")
        }
        count += 1
        return try authenticated(BackupFormat.bigEndian(UInt32(clamping: body.count)) + body)
    }

    /// The last part.
    mutating func trailer() throws(KeychainError) -> [UInt8] {
        try authenticated([0, 0, 0, 0] + BackupFormat.bigEndian(count))
    }

    private mutating func authenticated(_ part: [UInt8]) throws(KeychainError) -> [UInt8] {
        do throws(CryptographyError) {
            return part + (try chain.extend(over: part))
        } catch { throw error.asKeychainError }
    }
}
