import Cryptography
import DataProtection
import KeychainModel
import Secrets

// Copying every item that may leave the device, one after the other, as they are at one moment.
//
// Source: requirements BAK-01 to BAK-05, ACC-08, ACC-18.
extension ItemVault {
    /// Writes header, records and trailer.
    mutating func backUp(
        with writer: inout BackupWriter,
        to sink: BackupSink,
        _ session: borrowing DeviceSession,
        progress: BackupProgress
    ) throws(KeychainError) -> BackupReport {
        try visit { () throws(StoreError) in try store.beginReading() }
        defer { store.rollBack() }
        var report = BackupReport()
        try sink(writer.header)
        for itemClass in ItemClass.stored {
            try backUp(itemClass, with: &writer, to: sink, session, &report, progress)
        }
        try sink(try writer.trailer())
        return report
    }

    private mutating func backUp(
        _ itemClass: ItemClass,
        with writer: inout BackupWriter,
        to sink: BackupSink,
        _ session: borrowing DeviceSession,
        _ report: inout BackupReport,
        _ progress: BackupProgress
    ) throws(KeychainError) {
        var filter = RowFilter(itemClass: itemClass)
        filter.synchronizable = .any
        let cursor = try visit { () throws(StoreError) in
            try store.cursor(filter, withSecrets: true)
        }
        while let row = try visit({ () throws(StoreError) in try store.next(cursor) }) {
            let omission = try backUp(row, with: &writer, to: sink, session)
            let isBound = row.item.columns.protection.isThisDeviceOnly
            if omission != nil || isBound { report.stayingCounts[itemClass, default: 0] += 1 }
            if let omission {
                report.omissions[omission, default: 0] += 1
                continue
            }
            if isBound { report.deviceBoundCount += 1 }
            report.itemCount += 1
            progress(report.itemCount)
        }
    }

    /// Writes one item; tells why, if it does not.
    private mutating func backUp(
        _ row: SealedRow,
        with writer: inout BackupWriter,
        to sink: BackupSink,
        _ session: borrowing DeviceSession
    ) throws(KeychainError) -> BackupReport.Omission? {
        let protection = row.item.columns.protection
        if protection.requiresPasscode { return .passcode }
        guard let open = try open(row, session) else { return .damaged }
        if let omission = open.item.omission { return omission }
        guard writer.takes(protection) else { return .thisDeviceOnly }
        guard let value = try openSecret(of: open, session) else { return .damaged }
        try sink(try writer.part(for: open.item, value))
        return nil
    }
}
