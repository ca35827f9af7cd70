import Cryptography
import DataProtection
import KeychainMessages
import KeychainModel
import Secrets

/// A backup that is being made; for one call at a time.
final class BackupWork {
    /// What one portion holds at most, and one piece of it.
    private static let portionByteCount = 1 << 20
    private static let pieceByteCount = 1 << 18

    fileprivate var writer: BackupWriter
    fileprivate var scan: RowScan
    fileprivate var report = BackupReport()
    fileprivate var isComplete = false
    /// What was written, and how much of it was handed out.
    private var written: [UInt8]
    private var givenByteCount = 0

    init(_ writer: consuming BackupWriter, _ scan: RowScan) {
        written = writer.header
        self.writer = writer
        self.scan = scan
    }

    /// Whether the next portion has all the bytes that it may have.
    ///
    /// Rows in memory are walked over in one call, whatever that comes to.
    fileprivate var isFull: Bool {
        scan.snapshot != nil && written.count - givenByteCount >= Self.portionByteCount
    }

    fileprivate func append(_ bytes: [UInt8]) { written += bytes }

    /// What is ready to be handed out; the last portion has the report.
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

// Copying every item that may leave the device, one after the other, as they are at one moment.
//
// Source: requirements BAK-01 to BAK-05, ACC-08, ACC-18.
extension ItemVault {
    /// Writes the next part of header, records and trailer, if the device is unlocked.
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

    /// Writes one item; tells why, if it does not.
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
