import Cryptography
import DataProtection
import KeychainMessages
import KeychainModel
import Secrets

/// A restore that receives its backup; one call at a time may use it.
final class RestoreWork {
    let password: SharedSecret
    var spool: BackupSpool
    /// The first bytes, until they are known to begin a backup; nil after that.
    private var head: [UInt8]? = []

    init(_ password: SharedSecret, _ spool: consuming BackupSpool) {
        self.password = password
        self.spool = spool
    }

    /// Appends the next bytes of the backup.
    ///
    /// - Throws: `errSecDecode` as soon as the bytes cannot be the beginning of a backup; the
    ///   errors of the file that stores them.
    func take(_ bytes: [UInt8]) throws(KeychainError) {
        try spool.append(bytes)
        guard var head else { return }
        head += bytes.prefix(BackupHeader.prefixByteCount - head.count)
        self.head = head
        guard head.count == BackupHeader.prefixByteCount else { return }
        _ = try fromBackup(try BackupHeader.byteCount(startingWith: head))
        self.head = nil
    }
}

// Writes the items of a backup in one transaction; of two versions, the newer one stays.
//
// Source: requirements BAK-01, BAK-02, BAK-11, BAK-12, ACC-29.
extension ItemVault {
    /// Reads the backup to its trailer; any error before that leaves the keychain unchanged.
    mutating func restore(
        with reader: inout BackupReader,
        from source: BackupSource,
        _ session: inout DeviceSession
    ) throws(KeychainError) -> RestoreReport {
        // This repeats `inTransaction`, whose closure cannot capture the noncopyable reader.
        try begin()
        let stored = keyring
        do throws(KeychainError) {
            let change = try session.follow()
            try keepInStep(with: session, after: change)
            try requireKeySet(of: session)
            try session.requireOpen(.whenUnlocked)
            let report = try restoreAll(with: &reader, from: source, session)
            try commit()
            store.removeEarlierValues()
            return report
        } catch {
            rollBack()
            keyring.keep { stored.holds($0) }
            throw error
        }
    }

    private mutating func restoreAll(
        with reader: inout BackupReader,
        from source: BackupSource,
        _ session: borrowing DeviceSession
    ) throws(KeychainError) -> RestoreReport {
        var report = RestoreReport()
        while true {
            switch try reader.next(from: source) {
            case .item(let found):
                try restore(found.item, found.value, session, &report)
            case .foreign: report.foreignCount += 1
            case .end: return report
            }
            let leftCount = report.foreignCount + report.keptCount + report.deletedCount
            environment.progress(report.restoredCount + leftCount, 0)
        }
    }

    private mutating func restore(
        _ item: PlainItem,
        _ value: borrowing Secret,
        _ session: borrowing DeviceSession,
        _ report: inout RestoreReport
    ) throws(KeychainError) {
        let columns = try digests.columns(of: item)
        guard let row = try row(withPrimaryKey: columns) else {
            try write(item, value, over: nil, session)
            report.restoredCount += 1
            return
        }
        // A row that does not open has nothing to lose.
        guard let local = try open(row, session)?.item else {
            try write(item, value, over: row, session)
            report.restoredCount += 1
            return
        }
        let isNewer = item.modificationDate > local.modificationDate
        if isNewer {
            try write(item, value, over: row, session)
            report.restoredCount += 1
        }
        // A deleted item is not a conflict: it comes back, or stays deleted.
        guard !local.isTombstone else {
            if !isNewer { report.deletedCount += 1 }
            return
        }
        report.conflicts.append(
            RestoreReport.Conflict(
                itemClass: item.itemClass.rawValue,
                accessGroup: item.accessGroup,
                name: (isNewer ? item : local).displayName,
                isReplaced: isNewer
            )
        )
    }

    private mutating func write(
        _ item: PlainItem,
        _ value: borrowing Secret,
        over row: SealedRow?,
        _ session: borrowing DeviceSession
    ) throws(KeychainError) {
        var item = item
        if try isTaken(item, by: row) {
            if let row {
                item.reference = row.item.columns.reference
            } else {
                item.reference = try environment.newReference()
            }
        }
        let sealed = try seal(item, secret: value, session)
        try remember(accessGroup: item.accessGroup)
        let change =
            if let row {
                try store.replace(SealedRow(row: row.row, item: sealed))
            } else {
                try store.insert(sealed)
            }
        try note(change)
    }

    /// Whether a row other than the one to replace has the item's persistent reference.
    private func isTaken(_ item: PlainItem, by row: SealedRow?) throws(KeychainError) -> Bool {
        var filter = RowFilter(itemClass: item.itemClass)
        filter.reference = item.reference
        filter.synchronizable = .any
        filter.isTombstone = nil
        let rows = try store.rows(filter, withSecrets: false)
        return rows.contains { $0.row != row?.row }
    }
}

extension PlainItem {
    /// Seconds since 2001; an item without a date is older than any other.
    var modificationDate: Double {
        if case .date(let seconds)? = attributes[.modificationDate] { seconds } else { -.infinity }
    }

    /// The name by which a person recognizes the item: its label, or else its account.
    fileprivate var displayName: String? {
        for attribute in [Attribute.label, .account] {
            if case .string(let text)? = attributes[attribute], !text.isEmpty { return text }
        }
        return nil
    }
}
