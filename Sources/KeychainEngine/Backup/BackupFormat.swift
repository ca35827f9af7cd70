import Cryptography
import DataProtection
import KeychainMessages
import KeychainModel
import Secrets

/// The sizes of a backup's parts, in bytes.
///
/// - Source: Documentation/Spec/backup.md §2, §4, §5.
enum BackupFormat {
    static let codeByteCount = HMACSHA256.codeByteCount
    /// Class letters, protection class, synchronizable.
    static let openByteCount = 6
    static let recordByteCounts = 94...(1 << 26)
    static let trailerByteCount = 4 + 8

    static func bigEndian(_ number: some FixedWidthInteger) -> [UInt8] {
        Coercion.littleEndian(number).reversed()
    }

    static func number(_ bytes: some Collection<UInt8>) -> UInt64 {
        bytes.reduce(0) { $0 << 8 | UInt64($1) }
    }
}

/// The codes of a backup's parts, each of which covers all before it.
struct BackupChain {
    private let authenticator: MessageAuthenticator
    private var code: [UInt8]

    /// Starts after the header.
    init(
        key: borrowing Secret,
        headerCode: [UInt8]
    ) throws(KeychainError) {
        authenticator = try fromCryptography(try MessageAuthenticator(key: key))
        code = headerCode
    }

    /// Returns the code of the next part.
    mutating func extend(over part: [UInt8]) throws(KeychainError) -> [UInt8] {
        code = try fromCryptography(try authenticator.authenticate(code + part))
        return code
    }
}

/// An item of a backup, opened.
struct BackupItem: ~Copyable {
    let item: PlainItem
    let value: Secret
}

/// The conversion of an item to the body of a record and back.
///
/// - Source: Documentation/Spec/backup.md §4.
struct BackupRecord {
    /// Part of the associated data, so that a record opens only in its own backup.
    let headerCode: [UInt8]
    let cipher: ItemCipher

    func seal(
        _ item: PlainItem,
        _ value: borrowing Secret,
        index: UInt64,
        under key: borrowing ClassKey
    ) throws(CryptographyError) -> [UInt8] {
        let open =
            Array(item.itemClass.rawValue.utf8)
            + [item.protection.rawValue, item.isSynchronizable ? 1 : 0]
        let entries = ItemFormat.encode(item)
        let head = item.reference + BackupFormat.bigEndian(UInt32(clamping: entries.count))
        let plaintext = Secret(concatenating: Secret(copying: head + entries), value)
        return open + (try cipher.seal(plaintext, associated(open, index), under: key))
    }

    /// Returns the columns of a record; nil for a body whose cleartext bytes are invalid.
    static func columns(of body: [UInt8]) -> ItemColumns? {
        guard body.count >= BackupFormat.recordByteCounts.lowerBound,
            let letters = String(validating: body.prefix(4), as: UTF8.self),
            let itemClass = ItemClass(rawValue: letters), ItemClass.stored.contains(itemClass),
            let protection = ProtectionClass(rawValue: body[4]), !protection.requiresPasscode,
            body[5] <= 1
        else { return nil }
        return ItemColumns(
            itemClass: itemClass,
            primaryKey: [],
            protection: protection,
            isSynchronizable: body[5] == 1,
            isTombstone: false,
            reference: [],
            digests: []
        )
    }

    /// Opens a body; throws `CipherError.damaged` unless it was sealed for this place in this
    /// backup.
    func open(
        _ body: [UInt8],
        _ columns: ItemColumns,
        index: UInt64,
        under key: borrowing ClassKey
    ) throws(CipherError) -> BackupItem {
        let associated = associated(Array(body.prefix(BackupFormat.openByteCount)), index)
        let plaintext = try cipher.open(
            body.dropFirst(BackupFormat.openByteCount),
            associated,
            under: key
        )
        let item: BackupItem? = plaintext.withUnsafeBytes { bytes in
            Self.item(in: bytes, columns)
        }
        guard let item else { throw .damaged }
        return item
    }

    private static func item(
        in bytes: UnsafeRawBufferPointer,
        _ columns: ItemColumns
    ) -> BackupItem? {
        let headCount = PersistentReference.uuidByteCount + 4
        guard bytes.count >= headCount else { return nil }
        let count = Int(BackupFormat.number(bytes[(headCount - 4)..<headCount]))
        guard count <= bytes.count - headCount else { return nil }
        var columns = columns
        columns.reference = Array(bytes.prefix(PersistentReference.uuidByteCount))
        let entries = UnsafeRawBufferPointer(rebasing: bytes[headCount..<headCount + count])
        guard let item = ItemFormat.decode(entries, of: columns), item.isExportable else {
            return nil
        }
        let value = UnsafeRawBufferPointer(rebasing: bytes[(headCount + count)...])
        return BackupItem(item: item, value: Secret(copying: value))
    }

    private func associated(_ open: [UInt8], _ index: UInt64) -> [UInt8] {
        headerCode + BackupFormat.bigEndian(index) + open
    }
}

extension PlainItem {
    /// The reason to leave the item out of backups, if it has an access control or a token; else
    /// nil.
    var omission: BackupReport.Omission? {
        if accessControl != nil { return .accessControl }
        switch attributes[.tokenID] {
        case nil, .string(""), .data([]): return nil
        default: return .token
        }
    }

    fileprivate var isExportable: Bool { omission == nil && !isTombstone }
}
