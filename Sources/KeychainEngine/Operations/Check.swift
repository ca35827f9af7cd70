import Cryptography
import DataProtection
import KeychainModel
import Secrets

// Verifying a keychain: the database as SQLite sees it, then every row by opening it. Nothing is
// written, and nothing that does not open is deleted.
//
// Source: requirement STO-11; Documentation/Spec/store.md §4.
extension ItemVault {
    /// Verifies everything, as it is at one moment.
    mutating func check(
        _ extent: CheckExtent,
        _ session: borrowing DeviceSession,
        naming: CheckListener,
        noting: BoundItemListener,
        progress: (Int) -> Void
    ) throws(KeychainError) -> CheckReport {
        var check = RowCheck()
        check.report.mayHoldEarlierValues = store.owesForgetting
        try visit { () throws(StoreError) in try store.beginReading() }
        defer { store.rollBack() }
        try checkDatabase(&check, naming)
        try checkKeys(session, &check, naming)
        for itemClass in extent == .everything ? ItemClass.stored : [] {
            try checkRows(of: itemClass, session, &check, naming, noting, progress)
        }
        if extent == .everything { try checkRowSum(&check, naming) }
        return check.report
    }
}

/// A check under way.
private struct RowCheck {
    var report = CheckReport()
    /// Classes whose metadata key is damaged: told once, not for every row.
    var closed = Set<ProtectionClass>()
    /// The names of the access groups by their digests.
    var groups: [[UInt8]: String] = [:]

    mutating func found(_ fault: CheckFault, _ naming: CheckListener) {
        report.faultCount += 1
        if case .row = fault { report.unreadableCount += 1 }
        naming(fault)
    }
}

extension ItemVault {
    private func checkDatabase(
        _ check: inout RowCheck,
        _ naming: CheckListener
    ) throws(KeychainError) {
        do throws(StoreError) {
            for sentence in try store.schemaFaults() { check.found(.database(sentence), naming) }
            for sentence in try store.integrityFaults() { check.found(.database(sentence), naming) }
        } catch {
            check.found(.database(try Self.damage(error)), naming)
        }
    }

    /// Metadata keys and the names of groups.
    private mutating func checkKeys(
        _ session: borrowing DeviceSession,
        _ check: inout RowCheck,
        _ naming: CheckListener
    ) throws(KeychainError) {
        for protection in ProtectionClass.allCases where session.device.isAvailable(protection) {
            do throws(KeychainError) {
                _ = try keyring.existingKey(of: protection, device: session.device, store: store)
            } catch {
                guard error.status == .decode else { throw error }
                check.closed.insert(protection)
                check.found(.metadataKey(protection), naming)
            }
        }
        for group in try visit({ () throws(StoreError) in try store.accessGroups() }) {
            if let name = digests.openName(group.name, digest: group.digest) {
                check.groups[group.digest] = name
                let count = itemCount(inGroup: group.digest)
                if count > 0 { check.report.groupCounts[name, default: 0] += count }
            } else {
                check.found(.groupName(Self.hexadecimal(group.digest)), naming)
            }
        }
    }

    private func itemCount(inGroup digest: [UInt8]) -> Int {
        var count = 0
        for itemClass in ItemClass.stored {
            var filter = RowFilter(itemClass: itemClass)
            filter.synchronizable = .any
            filter.accessGroups = [digest]
            count += (try? store.count(filter)) ?? 0
        }
        return count
    }

    /// A page that cannot be read ends the class, and is told; the other classes follow.
    private mutating func checkRows(
        of itemClass: ItemClass,
        _ session: borrowing DeviceSession,
        _ check: inout RowCheck,
        _ naming: CheckListener,
        _ noting: BoundItemListener,
        _ progress: (Int) -> Void
    ) throws(KeychainError) {
        var filter = RowFilter(itemClass: itemClass)
        filter.synchronizable = .any
        filter.isTombstone = nil
        let cursor: RowCursor
        do throws(StoreError) {
            for row in try store.senselessRows(of: itemClass) {
                check.found(.row(UnreadableRow(itemClass, row: row, .columns)), naming)
            }
            cursor = try store.cursor(filter, withSecrets: true)
        } catch {
            let reason = try Self.damage(error)
            return check.found(.database("\(itemClass.rawValue): \(reason)"), naming)
        }
        while true {
            let row: SealedRow?
            do throws(StoreError) { row = try store.next(cursor) } catch {
                let reason = try Self.damage(error)
                return check.found(.database("\(itemClass.rawValue): \(reason)"), naming)
            }
            guard let row else { return }
            try checkRow(row, session, &check, naming, noting)
            progress(check.report.rowCount)
        }
    }

    /// Whether the rows are the ones that were written last, those of closed classes too.
    private func checkRowSum(
        _ check: inout RowCheck,
        _ naming: CheckListener
    ) throws(KeychainError) {
        do throws(KeychainError) {
            if let fault = try rowSumFault() { check.found(fault, naming) }
        } catch {
            // Pages that cannot be read; any other error is not about the content.
            guard error.status == .notAvailable else { throw error }
            check.found(.rowSum(found: nil, written: nil), naming)
        }
    }

    private mutating func checkRow(
        _ row: SealedRow,
        _ session: borrowing DeviceSession,
        _ check: inout RowCheck,
        _ naming: CheckListener,
        _ noting: BoundItemListener
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
            return check.found(.row(fault), naming)
        }
        switch try valueState(of: open, session) {
        case .sound: check.report.soundCounts[columns.itemClass, default: 0] += 1
        case .guarded:
            check.report.guardedCount += 1
            guard try !canOpenGate(of: open, session) else { return }
            check.report.endedCount += 1
            noting(BoundItem(columns.itemClass, row.row, .accessControl, open.item))
        case .unreadable:
            var fault = UnreadableRow(columns.itemClass, row: row.row, .value)
            fault.attributes = open.item.attributes
            fault.attributes[.accessGroup] = .string(open.item.accessGroup)
            check.found(.row(fault), naming)
        }
    }

    private enum ValueState { case sound, guarded, unreadable }

    /// A value behind a gate opens for a person; nobody is asked.
    private mutating func valueState(
        of row: OpenRow,
        _ session: borrowing DeviceSession
    ) throws(KeychainError) -> ValueState {
        if row.item.isTombstone { return .sound }
        if let sealed = row.sealed.item.secret, sealed.first == GatedHalf.version,
            row.item.gateConstraint != nil
        {
            return GatedHalf(sealed) == nil ? .unreadable : .guarded
        }
        return try openSecret(of: row, session) == nil ? .unreadable : .sound
    }

    private func accessGroup(of columns: ItemColumns, in check: RowCheck) -> String? {
        columns.groupDigest.flatMap { check.groups[$0] }
    }

    private static func hexadecimal(_ bytes: [UInt8]) -> String {
        bytes.map { byte in
            let text = String(byte, radix: 16)
            return text.count == 1 ? "0" + text : text
        }
        .joined()
    }

    /// What damaged pages are called; any other error is not about the content.
    private static func damage(_ error: StoreError) throws(KeychainError) -> String {
        guard case .damaged(_, let reason) = error else { throw error.asKeychainError }
        return reason
    }
}
