import KeychainMessages
import KeychainModel

// Replaces the access control of an existing item. The engine opens the item as its old access
// control demands, seals it under the new one, and replaces its row in one transaction.
//
// Invariants   (1) A crash at any step leaves the item under one of the two access controls.
//              (2) A caller who cannot open the item cannot replace its access control.
//              (3) After the call, neither the file nor its log contains the old sealed value,
//                  or the reply says that another process keeps it there.
//
// Every attribute, the creation date, the row and the persistent reference stay. The modification
// date advances, as with an update.
//
// Source: keychain access control, "delete and add again"; requirements SAC-32, SAC-33.
extension ItemVault {
    /// Replaces the access control of the one item that matches.
    ///
    /// - Throws: `errSecItemNotFound`; `errSecParam` for several matches and for keys of the secure
    ///   element; the errors of opening the item and of making the new gate. Nothing has changed
    ///   then.
    mutating func replaceAccessControl(
        _ authorized: Authorized<UpdateQuery>,
        _ flags: AccessControl.Flags,
        _ conversation: Conversation,
        _ session: inout DeviceSession,
        findings: inout [Finding]
    ) throws(KeychainError) -> ItemReply {
        try flags.requireAllowed()
        let prover = authorized.prover(authorized.query.authentication, conversation)
        var noted: [Finding] = []
        defer { findings += noted }
        try inTransaction(&session) { vault, session throws(KeychainError) in
            let row = try vault.onlyRow(of: authorized, session)
            let protection = authorized.query.changes.protection ?? row.item.protection
            var changes = Changes()
            changes.protection = protection
            if !flags.isEmpty {
                changes.accessControl = AccessControl(protection: protection, flags: flags)
            }
            try vault.update(row, changes, to: nil, prover, session, findings: &noted)
        }
        let itemClass = authorized.query.selection.itemClass
        return removeEarlierValues(after: .update, itemClass, .long, findings: &noted)
    }

    private mutating func onlyRow(
        of authorized: Authorized<UpdateQuery>,
        _ session: borrowing DeviceSession
    ) throws(KeychainError) -> OpenRow {
        let selection = authorized.query.selection
        let filter = try filter(for: selection, in: authorized.scope)
        let sealed = try store.rows(filter, withSecrets: true)
        var rows: [OpenRow] = []
        for row in sealed {
            if case .open(let open) = try opening(of: row, selection, in: authorized.scope, session)
            {
                rows.append(open)
            }
        }
        guard let row = rows.first else {
            throw KeychainError(.itemNotFound, "no item matches the query")
        }
        guard rows.count == 1 else {
            throw KeychainError(.param, "\(rows.count) items match: narrow the query to one")
        }
        guard row.item[.tokenID] != .string(ElementKeyHandle.tokenID) else {
            let reason = "a secure element key keeps its access control: create a new key"
            throw KeychainError(.param, reason)
        }
        return row
    }
}
