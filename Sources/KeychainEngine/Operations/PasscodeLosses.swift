import DataProtection
import KeychainMessages
import KeychainModel

/// A survey of the items that end with the passcode; one call at a time may use it.
final class LossWork {
    fileprivate var scan: RowScan
    fileprivate var itemClass = ItemClass.genericPassword
    /// The number of items that the lock state keeps closed.
    fileprivate var closedCount = 0
    fileprivate var portion = WorkPortion()

    init(_ scan: RowScan) { self.scan = scan }

    fileprivate func takePortion() -> WorkPortion {
        let taken = portion
        portion.findings = []
        return taken
    }
}

// The items that end with the passcode, listed before its removal. It writes nothing.
//
// Source: requirement ACC-06; Documentation/Spec/keybag.md §6.
extension ItemVault {
    /// Continues to name every item that removing the passcode would delete or make unreadable.
    mutating func nextPortion(
        of work: LossWork,
        _ session: borrowing DeviceSession
    ) throws(KeychainError) -> WorkPortion {
        let scan = work.scan
        return try withScan(scan.snapshot, under: scan.keySet, session) {
            vault throws(KeychainError) in
            var steps = 0
            while work.portion.outcome == nil, steps < scan.stepLimit {
                steps += 1
                switch try vault.next(of: &work.scan) {
                case .entered(let itemClass): work.itemClass = itemClass
                case .row(let row): try vault.look(at: row, work, session)
                case .end:
                    work.portion.outcome = .passcodeLosses(closedCount: work.closedCount)
                }
            }
            return work.takePortion()
        }
    }

    private mutating func look(
        at row: SealedRow,
        _ work: LossWork,
        _ session: borrowing DeviceSession
    ) throws(KeychainError) {
        work.portion.doneCount += 1
        let protection = row.item.columns.protection
        let isAvailable = session.device.isAvailable(protection)
        let opened = isAvailable ? try open(row, session) : nil
        let bond: BoundItem.Bond
        if protection.requiresPasscode {
            bond = .passcodeClass
        } else if !isAvailable {
            work.closedCount += 1
            return
        } else if let opened, try endsWithPasscode(opened, session) {
            bond = .accessControl
        } else {
            return
        }
        let item = BoundItem(work.itemClass, row.row, bond, opened?.item)
        work.portion.findings.append(.boundItem(item))
    }

    /// Whether the item opens now, and only with keys that the removal destroys.
    private func endsWithPasscode(
        _ row: OpenRow,
        _ session: borrowing DeviceSession
    ) throws(KeychainError) -> Bool {
        guard let constraint = row.item.accessControl?.constraint,
            constraint.factors != [.applicationPassword]
        else { return false }
        return try canOpenGate(of: row, session)
    }

    /// Whether any proof can still open an item's gate; true for an item without a gate.
    func canOpenGate(
        of row: OpenRow,
        _ session: borrowing DeviceSession
    ) throws(KeychainError) -> Bool {
        guard row.item.gateConstraint != nil,
            let half = row.sealed.item.secret.flatMap(GatedHalf.init)
        else { return true }
        return try session.canOpenGate(half.gate)
    }
}

extension BoundItem {
    /// Creates a bound item, with attributes if the item opened.
    init(_ itemClass: ItemClass, _ row: Int64, _ bond: Bond, _ item: PlainItem?) {
        self.init(itemClass, row: row, bond)
        guard let item else { return }
        attributes = item.attributes
        attributes[.accessGroup] = .string(item.accessGroup)
    }
}
