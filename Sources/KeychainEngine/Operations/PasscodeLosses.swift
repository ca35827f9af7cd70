import DataProtection
import KeychainModel

// What would go with the passcode: known before anybody removes it. Nothing is written.
//
// Source: requirement ACC-06; Documentation/Spec/keybag.md §6.
extension Engine {
    /// Names every item that the removal of the passcode would delete or close for good.
    ///
    /// - Parameter naming: Hears of each item.
    /// - Returns: How many items the lock state keeps closed, so that nothing is known of them.
    /// - Throws: what keeps the rows from being read.
    package func passcodeLosses(naming: BoundItemListener) throws(KeychainError) -> Int {
        try enter { rooms throws(KeychainError) in
            try visit { () throws(StoreError) in try rooms.vault.store.beginReading() }
            defer { rooms.vault.store.rollBack() }
            var closedCount = 0
            for itemClass in ItemClass.stored {
                closedCount += try rooms.vault.passcodeLosses(of: itemClass, rooms.session, naming)
            }
            return closedCount
        }
    }
}

extension ItemVault {
    fileprivate mutating func passcodeLosses(
        of itemClass: ItemClass,
        _ session: borrowing DeviceSession,
        _ naming: BoundItemListener
    ) throws(KeychainError) -> Int {
        var filter = RowFilter(itemClass: itemClass)
        filter.synchronizable = .any
        let cursor = try visit { () throws(StoreError) in
            try store.cursor(filter, withSecrets: true)
        }
        var closedCount = 0
        while let row = try visit({ () throws(StoreError) in try store.next(cursor) }) {
            let protection = row.item.columns.protection
            let isAvailable = session.device.isAvailable(protection)
            let opened = isAvailable ? try open(row, session) : nil
            if protection.requiresPasscode {
                naming(BoundItem(itemClass, row.row, .passcodeClass, opened?.item))
            } else if !isAvailable {
                closedCount += 1
            } else if let opened, try endsWithPasscode(opened, session) {
                naming(BoundItem(itemClass, row.row, .accessControl, opened.item))
            }
        }
        return closedCount
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

    /// Whether any proof still opens the gate of an item; an item without one opens.
    func canOpenGate(
        of row: OpenRow,
        _ session: borrowing DeviceSession
    ) throws(KeychainError) -> Bool {
        guard row.item.gateConstraint != nil,
            let half = row.sealed.item.secret.flatMap(GatedHalf.init)
        else { return true }
        return try visit { () throws(DeviceError) in try session.device.canOpenGate(half.gate) }
    }
}

extension BoundItem {
    /// An item whose attributes are known if it opened.
    init(_ itemClass: ItemClass, _ row: Int64, _ bond: Bond, _ item: PlainItem?) {
        self.init(itemClass, row: row, bond)
        guard let item else { return }
        attributes = item.attributes
        attributes[.accessGroup] = .string(item.accessGroup)
    }
}
