import DataProtection
import KeychainModel

/// What writer and reader of a backup have in common: keys, codes, and the count of records.
///
/// - Source: Documentation/Spec/backup.md §2.
struct BackupParts: ~Copyable {
    let keybag: BackupKeybag
    let record: BackupRecord
    /// How many records there were; the next one's number.
    private(set) var count: UInt64 = 0
    private var chain: BackupChain

    init(
        keybag: consuming BackupKeybag,
        password: borrowing BackupPassword,
        cipher: ItemCipher
    ) throws(KeychainError) {
        chain = try BackupChain(
            key: password.authenticationKey,
            headerCode: keybag.headerCode
        )
        record = BackupRecord(headerCode: keybag.headerCode, cipher: cipher)
        self.keybag = keybag
    }

    mutating func countRecord() { count += 1 }

    /// The code of the next part, which depends on all before it.
    mutating func code(of part: [UInt8]) throws(KeychainError) -> [UInt8] {
        try chain.extend(over: part)
    }
}
