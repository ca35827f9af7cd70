import DataProtection
import KeychainMessages
import KeychainModel

// SecItemDelete: every match, in every lock state; a removed item leaves neither row nor key.
//
// Source: requirements QRY-10, QRY-14, QRY-17, ACC-27, STO-14.

/// The counts of a deletion.
struct Removal: Sendable {
    /// The number of items that matched; an identity counts once.
    let matchCount: Int
    /// The number of rows that were deleted.
    let itemCount: Int
}

extension ItemVault {
    mutating func delete(
        _ authorized: Authorized<DeleteQuery>,
        _ session: inout DeviceSession,
        findings: inout [Finding]
    ) throws(KeychainError) -> ItemReply {
        let query = authorized.query
        let itemClass = query.selection.itemClass
        let wasRefused = recent.withLock { $0.refused(query.selection) }
        let removed = try inTransaction(&session) { vault, session throws(KeychainError) in
            itemClass == .identity
                ? try vault.deleteIdentities(authorized, session, findings: &findings)
                : try vault.deleteRows(authorized, session)
        }
        let reply = removeEarlierValues(after: .delete, itemClass, findings: &findings)
        if wasRefused {
            findings.append(
                Finding(
                    .deleteAfterRefusedRead,
                    verb: .delete,
                    item: itemClass.rawValue,
                    status: .success
                )
            )
        }
        if removed.matchCount > 1 {
            findings.append(
                Finding(
                    .broadDelete,
                    verb: .delete,
                    item: itemClass.rawValue,
                    status: .success,
                    detail: "There were \(removed.itemCount) items."
                )
            )
        }
        return reply
    }

    private mutating func deleteRows(
        _ authorized: Authorized<DeleteQuery>,
        _ session: borrowing DeviceSession
    ) throws(KeychainError) -> Removal {
        let query = authorized.query
        let filter = try filter(for: query.selection, in: authorized.scope)
        let found = try store.rows(filter, withSecrets: false)
        var rows: [SealedRow] = []
        for row in found where try hasPairs(row, of: query.selection, session) { rows.append(row) }
        guard !rows.isEmpty else { throw KeychainError(.itemNotFound, "no item matches the query") }
        for row in rows {
            try delete(row, leavesTombstone: query.leavesTombstones, session)
        }
        return Removal(matchCount: rows.count, itemCount: rows.count)
    }

    /// Whether a row found by its pairs really has them, if its class is open.
    ///
    /// The table of their digests is not sealed, so it may have been edited.
    private mutating func hasPairs(
        _ row: SealedRow,
        of selection: Selection,
        _ session: borrowing DeviceSession
    ) throws(KeychainError) -> Bool {
        guard !selection.pairs.isEmpty,
            session.device.isAvailable(row.item.columns.protection),
            let open = try open(row, session)
        else { return true }
        return open.item.pairs.contains(selection.pairs)
    }

    mutating func delete(
        _ row: SealedRow,
        leavesTombstone: Bool?,
        _ session: borrowing DeviceSession
    ) throws(KeychainError) {
        let columns = row.item.columns
        let wantsTombstone = leavesTombstone ?? columns.isSynchronizable
        if wantsTombstone, !columns.isTombstone, let tombstone = try tombstone(of: row, session) {
            let change = try store.replace(SealedRow(row: row.row, item: tombstone))
            return try note(change)
        }
        let change = try store.remove(row: row.row, of: columns.itemClass)
        try note(change)
    }

    /// Returns the sealed tombstone; nil if the row does not open, which is then removed without
    /// one.
    private mutating func tombstone(
        of row: SealedRow,
        _ session: borrowing DeviceSession
    ) throws(KeychainError) -> SealedItem? {
        guard session.device.isAvailable(row.item.columns.protection),
            let open = try open(row, session)
        else { return nil }
        var tombstone = open.item.asTombstone
        tombstone.attributes[.modificationDate] = .date(environment.now())
        tombstone.modify(after: open.item)
        return try sealMetadata(of: tombstone, session)
    }
}
