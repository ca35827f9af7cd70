import Cryptography
import DataProtection
import KeychainMessages
import KeychainModel
import Secrets

/// A check in progress; one call at a time may use it.
final class CheckWork {
    fileprivate enum Stage { case database, keys, rows, sum, end }

    let extent: CheckExtent
    var scan: RowScan
    fileprivate var stage = Stage.database
    /// The class whose rows it reads.
    fileprivate var itemClass = ItemClass.genericPassword
    fileprivate var report = CheckReport()
    /// The findings since the previous portion.
    fileprivate var findings: [WorkFinding] = []
    /// Classes whose metadata key is damaged, reported once instead of for every row.
    fileprivate var closed = Set<ProtectionClass>()
    /// The names of the access groups by their digests.
    fileprivate var groups: [[UInt8]: String] = [:]

    init(_ extent: CheckExtent, _ scan: RowScan) {
        self.extent = extent
        self.scan = scan
    }

    /// Makes SQLite verify all pages.
    ///
    /// This takes seconds for a large file, but no key. So it runs without a lock if the scan has a
    /// connection of its own.
    func verifyPages() throws(KeychainError) {
        guard stage == .database, let snapshot = scan.snapshot else { return }
        try verifyPages(in: snapshot.reader.store)
    }

    fileprivate func verifyPages(in store: borrowing ItemStore) throws(KeychainError) {
        do throws(KeychainError) {
            for sentence in try store.schemaFaults() { found(.database(sentence)) }
            for sentence in try store.integrityFaults() { found(.database(sentence)) }
        } catch {
            found(.database(try ItemVault.damage(error)))
        }
        stage = .keys
    }

    func found(_ fault: CheckFault) {
        report.faultCount += 1
        if case .row = fault { report.unreadableCount += 1 }
        findings.append(.fault(fault))
    }

    fileprivate func takePortion() -> WorkPortion {
        var portion = WorkPortion()
        swap(&portion.findings, &findings)
        portion.doneCount = report.rowCount
        if stage == .end { portion.outcome = .check(report) }
        return portion
    }
}

// Verifies a keychain: first the database with SQLite, then every row by opening it. It writes
// nothing, and deletes nothing that does not open.
//
// Source: requirement STO-11; Documentation/Spec/store.md §4.
extension ItemVault {
    /// Continues the verification of the keychain as it was when the check began.
    mutating func nextPortion(
        of check: CheckWork,
        _ session: borrowing DeviceSession
    ) throws(KeychainError) -> WorkPortion {
        let scan = check.scan
        return try withScan(scan.snapshot, under: scan.keySet, session) {
            vault throws(KeychainError) in
            if check.stage == .database { try check.verifyPages(in: vault.store) }
            if check.stage == .keys { try vault.checkBase(check, session) }
            var steps = 0
            while check.stage == .rows, steps < scan.stepLimit {
                steps += 1
                try vault.checkNext(check, session)
            }
            if check.stage == .sum {
                try vault.checkRowSum(check)
                try vault.checkStrayPairs(check)
                check.stage = .end
            }
            return check.takePortion()
        }
    }

    private mutating func checkBase(
        _ check: CheckWork,
        _ session: borrowing DeviceSession
    ) throws(KeychainError) {
        check.report.mayHoldEarlierValues = store.hasPendingTruncation
        try checkKeys(session, check)
        try checkFileKeys(check, session)
        try checkHandleKeys(check, session)
        check.stage = check.extent == .everything ? .rows : .end
    }
}

extension ItemVault {
    /// Verifies metadata keys and the names of groups.
    private mutating func checkKeys(
        _ session: borrowing DeviceSession,
        _ check: CheckWork
    ) throws(KeychainError) {
        for protection in ProtectionClass.allCases where session.device.isAvailable(protection) {
            do throws(KeychainError) {
                _ = try keyring.existingKey(of: protection, device: session.device, store: store)
            } catch {
                guard error.status == .decode else { throw error }
                check.closed.insert(protection)
                check.found(.metadataKey(protection))
            }
        }
        let groups = try withRows(of: check.scan.snapshot) { store throws(KeychainError) in
            try store.accessGroups()
        }
        for group in groups {
            if let name = digests.openName(group.name, digest: group.digest) {
                check.groups[group.digest] = name
                let count = itemCount(inGroup: group.digest, check)
                if count > 0 { check.report.groupCounts[name, default: 0] += count }
            } else {
                check.found(.groupName(Self.hexadecimal(group.digest)))
            }
        }
    }

    private func itemCount(inGroup digest: [UInt8], _ check: CheckWork) -> Int {
        var count = 0
        for itemClass in ItemClass.stored {
            var filter = RowFilter(itemClass: itemClass)
            filter.synchronizable = .any
            filter.accessGroups = [digest]
            let found = try? withRows(of: check.scan.snapshot) { store throws(KeychainError) in
                try store.count(filter)
            }
            count += found ?? 0
        }
        return count
    }

    /// Verifies the next row; an unreadable page is reported and ends only its class.
    private mutating func checkNext(
        _ check: CheckWork,
        _ session: borrowing DeviceSession
    ) throws(KeychainError) {
        let step: RowScan.Step
        do throws(KeychainError) {
            step = try next(of: &check.scan)
            if case .entered(let itemClass) = step {
                check.itemClass = itemClass
                let rows = try withRows(of: check.scan.snapshot) { store throws(KeychainError) in
                    try store.invalidRows(of: itemClass)
                }
                for row in rows { check.found(.row(UnreadableRow(itemClass, row: row, .columns))) }
            }
        } catch {
            let reason = try Self.damage(error)
            check.scan.leaveClass()
            return check.found(.database("\(check.itemClass.rawValue): \(reason)"))
        }
        switch step {
        case .entered: break
        case .row(let row): try checkRow(row, session, check)
        case .end: check.stage = .sum
        }
    }

    /// Reports if the rows are not those that were written last, including rows of closed classes.
    private func checkRowSum(_ check: CheckWork) throws(KeychainError) {
        do throws(KeychainError) {
            if let fault = try rowSumFault(of: check.scan.snapshot) { check.found(fault) }
        } catch {
            // Only an unreadable page is a finding here; any other error is thrown.
            guard error.status == .notAvailable else { throw error }
            check.found(.rowSum(found: nil, written: nil))
        }
    }

    private mutating func checkRow(
        _ row: SealedRow,
        _ session: borrowing DeviceSession,
        _ check: CheckWork
    ) throws(KeychainError) {
        let columns = row.item.columns
        guard session.device.isAvailable(columns.protection) else {
            check.report.lockedCount += 1
            return
        }
        guard let open = try open(row, session) else {
            var fault = UnreadableRow(columns.itemClass, row: row.row, .attributes)
            if let group = accessGroup(of: columns, in: check) {
                fault.attributes[.accessGroup] = .string(group)
            }
            return check.found(.row(fault))
        }
        try checkPairs(of: open, check)
        switch try valueState(of: open, session) {
        case .sound: check.report.soundCounts[columns.itemClass, default: 0] += 1
        case .deleted: check.report.tombstoneCount += 1
        case .guarded:
            check.report.guardedCount += 1
            guard try !canOpenGate(of: open, session) else { return }
            check.report.endedCount += 1
            let item = BoundItem(columns.itemClass, row.row, .accessControl, open.item)
            check.findings.append(.boundItem(item))
        case .unreadable:
            var fault = UnreadableRow(columns.itemClass, row: row.row, .value)
            fault.attributes = open.item.attributes
            fault.attributes[.accessGroup] = .string(open.item.accessGroup)
            check.found(.row(fault))
        }
    }

    /// Reports if the digests of a row's pairs do not match the row.
    private func checkPairs(of row: OpenRow, _ check: CheckWork) throws(KeychainError) {
        guard row.item.itemClass == .genericPassword else { return }
        let wanted = try digests.digests(ofPairsOf: row.item)
        let found = try withRows(of: check.scan.snapshot) { store throws(KeychainError) in
            try store.pairs(of: row.sealed.row)
        }
        guard found.count != wanted.count || Set(found) != Set(wanted) else { return }
        check.found(.database("genp row \(row.sealed.row): its digests of pairs are not its own"))
    }

    /// Reports digests of pairs whose row is missing.
    private func checkStrayPairs(_ check: CheckWork) throws(KeychainError) {
        let count: Int
        do throws(KeychainError) {
            count = try withRows(of: check.scan.snapshot) { store throws(KeychainError) in
                try store.strayPairCount()
            }
        } catch {
            return check.found(.database(try Self.damage(error)))
        }
        if count > 0 { check.found(.database("\(count) digests of pairs belong to no row")) }
    }

    private enum ValueState { case sound, deleted, guarded, unreadable }

    /// Returns the state of a value without a prompt, so it does not open a gated value.
    private mutating func valueState(
        of row: OpenRow,
        _ session: borrowing DeviceSession
    ) throws(KeychainError) -> ValueState {
        if row.item.isTombstone { return .deleted }
        if let sealed = row.sealed.item.secret, sealed.first == GatedHalf.version,
            row.item.gateConstraint != nil
        {
            return GatedHalf(sealed) == nil ? .unreadable : .guarded
        }
        guard let value = try openSecret(of: row, session) else { return .unreadable }
        if row.item.isElementKey, try !isSound(value, session) { return .unreadable }
        return .sound
    }

    private func accessGroup(of columns: ItemColumns, in check: CheckWork) -> String? {
        columns.groupDigest.flatMap { check.groups[$0] }
    }

    private static func hexadecimal(_ bytes: [UInt8]) -> String {
        bytes.map { byte in
            let text = String(byte, radix: 16)
            return text.count == 1 ? "0" + text : text
        }
        .joined()
    }

    /// Returns the description of damaged pages; rethrows any other error.
    static func damage(_ error: KeychainError) throws(KeychainError) -> String {
        guard let damage = error.storeDamage else { throw error }
        return damage
    }
}
