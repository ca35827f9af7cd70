import Cryptography
import DataProtection
import KeychainMessages
import KeychainModel
import Secrets

/// A backup in progress; one call at a time may use it.
final class BackupWork {
    /// The most bytes of a portion, and of one piece in it.
    private static let portionByteCount = 1 << 20
    private static let pieceByteCount = 1 << 18

    fileprivate var writer: BackupWriter
    fileprivate var scan: RowScan
    fileprivate var report = BackupReport()
    fileprivate var isComplete = false
    /// The bytes written so far, and how many of them have been handed out.
    private var written: [UInt8]
    private var givenByteCount = 0

    init(_ writer: consuming BackupWriter, _ scan: RowScan) {
        written = writer.header
        self.writer = writer
        self.scan = scan
    }

    /// Whether the next portion is full.
    ///
    /// Rows in memory are backed up in one call, at any size.
    fileprivate var isFull: Bool {
        scan.snapshot != nil && written.count - givenByteCount >= Self.portionByteCount
    }

    fileprivate func append(_ bytes: [UInt8]) { written += bytes }

    /// Takes the bytes that are ready; the last portion also contains the report.
    fileprivate func takePortion() -> WorkPortion {
        var portion = WorkPortion()
        var room = Self.portionByteCount
        while room > 0, givenByteCount < written.count {
            let count = min(Self.pieceByteCount, written.count - givenByteCount, room)
            portion.findings.append(.bytes(Array(written[givenByteCount..<givenByteCount + count])))
            givenByteCount += count
            room -= count
        }
        if givenByteCount == written.count {
            written = []
            givenByteCount = 0
            if isComplete { portion.outcome = .backup(report) }
        }
        portion.doneCount = report.itemCount
        return portion
    }
}

// Copies every item that may leave the device, one after the other, as of one moment.
//
// Source: requirements BAK-01 to BAK-05, ACC-08, ACC-18.
extension ItemVault {
    /// Writes the next part of header, records and trailer; throws if the device is locked.
    mutating func nextPortion(
        of work: BackupWork,
        _ session: borrowing DeviceSession
    ) throws(KeychainError) -> WorkPortion {
        try session.requireOpen(.whenUnlocked)
        let scan = work.scan
        return try withScan(scan.snapshot, under: scan.keySet, session) {
            vault throws(KeychainError) in
            var steps = 0
            while !work.isComplete, !work.isFull, steps < scan.stepLimit {
                steps += 1
                switch try vault.next(of: &work.scan) {
                case .entered: continue
                case .row(let row): try vault.backUp(row, work, session)
                case .end:
                    work.append(try work.writer.trailer())
                    work.isComplete = true
                }
            }
            return work.takePortion()
        }
    }

    private mutating func backUp(
        _ row: SealedRow,
        _ work: BackupWork,
        _ session: borrowing DeviceSession
    ) throws(KeychainError) {
        let omission = try write(row, work, session)
        let columns = row.item.columns
        let isBound = columns.protection.isThisDeviceOnly
        if omission != nil || isBound {
            work.report.stayingCounts[columns.itemClass, default: 0] += 1
        }
        if let omission {
            work.report.omissions[omission, default: 0] += 1
            return
        }
        if isBound { work.report.deviceBoundCount += 1 }
        work.report.itemCount += 1
    }

    /// Writes one item; returns the reason if it omits the item.
    private mutating func write(
        _ row: SealedRow,
        _ work: BackupWork,
        _ session: borrowing DeviceSession
    ) throws(KeychainError) -> BackupReport.Omission? {
        let protection = row.item.columns.protection
        if protection.requiresPasscode { return .passcode }
        guard let open = try open(row, session) else { return .damaged }
        if let omission = open.item.omission { return omission }
        guard work.writer.takes(protection) else { return .thisDeviceOnly }
        guard let value = try openSecret(of: open, session) else { return .damaged }
        work.append(try work.writer.part(for: open.item, value))
        return nil
    }
}
