import DataProtection
import KeychainModel

/// The state that writing and reading a backup share: keys, codes, and the count of records.
///
/// - Source: Documentation/Spec/backup.md §2.
struct BackupParts: ~Copyable {
    let keybag: BackupKeybag
    let record: BackupRecord
    /// The number of records so far, which is also the number of the next one.
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

    /// Returns the code of the next part, which depends on all parts before it.
    mutating func code(of part: [UInt8]) throws(KeychainError) -> [UInt8] {
        try chain.extend(over: part)
    }
}
