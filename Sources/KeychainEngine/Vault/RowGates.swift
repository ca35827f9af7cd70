import DataProtection
import KeychainModel
import Secrets

// The gates of rows: where they are stored, and which rows have one.
//
// Source: requirements SAC-05 to SAC-31, BIO-10.
extension ItemVault {
    /// Creates a gate for an item; returns nil if the item needs none.
    func makeGate(
        for item: PlainItem,
        _ prover: Prover,
        _ session: borrowing DeviceSession
    ) throws(KeychainError) -> Gate? {
        guard item.gateConstraint != nil else { return nil }
        return try session.makeGate(item.protection, item.accessControl, prover)
    }

    /// Opens the gate of a row; returns nil for a row without one.
    func passGate(
        _ row: OpenRow,
        for prover: Prover,
        _ session: borrowing DeviceSession
    ) throws(KeychainError) -> Gate? {
        guard profiles.system.enforcesLockState, let constraint = row.item.gateConstraint,
            !row.item.isTombstone
        else { return nil }
        // A closed class stays closed with any proof, so this fails before it prompts.
        try session.requireOpen(row.item.protection)
        guard let half = row.sealed.item.secret.flatMap(GatedHalf.init) else {
            throw KeychainError(.decode, "the item has no gate")
        }
        return try session.pass(half.gate, constraint, for: prover)
    }

    /// Returns the row and its opened gate.
    ///
    /// - Returns: nil if the row is damaged, or if the gate needs a prompt that the call skips
    ///   (BIO-10).
    func passGateOrSkip(
        _ row: OpenRow,
        for prover: Prover,
        _ session: borrowing DeviceSession
    ) throws(KeychainError) -> (OpenRow, Gate?)? {
        guard row.item.gateConstraint != nil else { return (row, nil) }
        let whole = try withSecret(row)
        do throws(KeychainError) {
            return (whole, try passGate(whole, for: prover, session))
        } catch {
            let isSkipped = prover.terms.interface == .skip && error.failure != nil
            guard isSkipped || error.status == .decode else { throw error }
            return nil
        }
    }

    /// Returns the row with its sealed value, which contains the gate, even if the search omitted
    /// it.
    private func withSecret(_ row: OpenRow) throws(KeychainError) -> OpenRow {
        guard row.sealed.item.secret == nil else { return row }
        var filter = RowFilter(itemClass: row.item.itemClass)
        filter.row = row.sealed.row
        filter.synchronizable = .any
        let rows = try store.rows(filter, withSecrets: true)
        var whole = row.sealed
        whole.item.secret = rows.first?.item.secret
        return OpenRow(sealed: whole, item: row.item)
    }
}

extension PlainItem {
    /// The constraint that has to be proven before the item is readable.
    ///
    /// It is nil for a key in the secure element, whose access control applies to its use (KEY-07).
    var gateConstraint: Constraint? {
        guard attributes[.tokenID] != .string(ElementKeyHandle.tokenID) else { return nil }
        return accessControl?.constraint
    }
}
