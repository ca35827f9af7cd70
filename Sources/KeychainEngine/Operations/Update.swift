import Cryptography
import DataProtection
import KeychainMessages
import KeychainModel
import Secrets

// SecItemUpdate: every match or none, in one transaction. Each row is opened, changed and sealed
// again; its number and persistent reference stay.
//
// Source: requirements QRY-08, QRY-09, QRY-16, QRY-18, QRY-35 to QRY-39, ACC-25.
extension ItemVault {
    mutating func update(
        _ authorized: Authorized<UpdateQuery>,
        _ conversation: Conversation,
        _ session: inout DeviceSession,
        findings: inout [Finding]
    ) throws(KeychainError) -> ItemReply {
        let query = authorized.query
        let prover = authorized.prover(query.authentication, conversation)
        var noted: [Finding] = []
        defer { findings += noted }
        try inTransaction(&session) { vault, session throws(KeychainError) in
            if query.selection.itemClass == .identity {
                try vault.updateIdentities(authorized, prover, session, findings: &noted)
            } else {
                try vault.updateRows(authorized, prover, session, findings: &noted)
            }
        }
        return removeEarlierValues(after: .update, query.selection.itemClass, findings: &noted)
    }

    private mutating func updateRows(
        _ authorized: Authorized<UpdateQuery>,
        _ prover: Prover,
        _ session: borrowing DeviceSession,
        findings: inout [Finding]
    ) throws(KeychainError) {
        let query = authorized.query
        let filter = try filter(for: query.selection, in: authorized.scope)
        let rows = try store.rows(filter, withSecrets: true)
        var count = 0
        for row in rows {
            guard
                case .open(let open) =
                    try opening(of: row, query.selection, in: authorized.scope, session)
            else {
                findings.append(Self.damaged(query.selection.itemClass, .update))
                continue
            }
            try update(open, authorized, prover, session, findings: &findings)
            count += 1
        }
        guard count > 0 else { throw KeychainError(.itemNotFound, "no item matches the query") }
        if let group = authorized.destination { try remember(accessGroup: group) }
    }

    mutating func update(
        _ row: OpenRow,
        _ authorized: Authorized<UpdateQuery>,
        _ prover: Prover,
        _ session: borrowing DeviceSession,
        findings: inout [Finding]
    ) throws(KeychainError) {
        try update(
            row,
            authorized.query.changes,
            to: authorized.destination,
            prover,
            session,
            findings: &findings
        )
    }

    /// Opens a row, changes it and seals it again; the caller was authorized for row and group.
    mutating func update(
        _ row: OpenRow,
        _ changes: Changes,
        to group: String?,
        _ prover: Prover,
        _ session: borrowing DeviceSession,
        findings: inout [Finding]
    ) throws(KeychainError) {
        let changed = row.item.applying(changes, group: group, at: environment.now())
        try check(changed, against: row.item, changes, findings: &findings)
        let gate = try passGate(row, for: prover, session)
        let secret = try secret(of: row, changes, gate, session)
        let newGate = changes.replacesGate ? try makeGate(for: changed, prover, session) : gate
        let sealed = try seal(changed, secret: secret.secret, gate: newGate, session)
        let isMoved = sealed.columns.primaryKey != row.sealed.item.columns.primaryKey
        if isMoved { try removeTombstone(for: sealed.columns, session) }
        let change = try store.replace(SealedRow(row: row.sealed.row, item: sealed))
        try note(change)
        if isMoved, row.item.isSynchronizable { try leaveTombstone(of: row.item, session) }
    }

    private mutating func secret(
        of row: OpenRow,
        _ changes: Changes,
        _ gate: Gate?,
        _ session: borrowing DeviceSession
    ) throws(KeychainError) -> SharedSecret {
        // A closed class is refused even if the old value is not needed.
        try session.requireOpen(row.item.protection)
        if let new = changes.data { return new }
        if row.item.isTombstone { return SharedSecret(Secret(copying: [])) }
        guard let old = try openSecret(of: row, session, gate: gate?.key) else {
            throw KeychainError(.itemNotFound, "the item's value is damaged")
        }
        return SharedSecret(old)
    }

    /// Removes a tombstone or unreadable row with the new primary key; throws for a live item.
    private mutating func removeTombstone(
        for columns: ItemColumns,
        _ session: borrowing DeviceSession
    ) throws(KeychainError) {
        guard let row = try row(withPrimaryKey: columns) else { return }
        guard try isDead(row, session) else {
            let reason = "another item has the new primary key"
            throw KeychainError(.duplicateItem, reason)
        }
        let change = try store.remove(row: row.row, of: columns.itemClass)
        try note(change)
    }

    /// Inserts a tombstone for the old primary key, so that other copies are deleted, too.
    private mutating func leaveTombstone(
        of item: PlainItem,
        _ session: borrowing DeviceSession
    ) throws(KeychainError) {
        var tombstone = item.asTombstone
        tombstone.reference = try environment.newReference()
        tombstone.attributes[.modificationDate] = .date(environment.now())
        tombstone.modify(after: item)
        let sealed = try sealMetadata(of: tombstone, session)
        try note(try store.insert(sealed))
    }
}

// Checks of an update.
extension ItemVault {
    private func check(
        _ changed: PlainItem,
        against old: PlainItem,
        _ changes: Changes,
        findings: inout [Finding]
    ) throws(KeychainError) {
        try checkElementKey(changed, against: old, changes)
        try checkPrimaryKey(changed, against: old, findings: &findings)
        guard changed.isSynchronizable else { return }
        if changed.accessControl != nil {
            let reason = "an item with an access control cannot be synchronizable"
            throw KeychainError(.param, reason)
        }
        let touches = changes.protection != nil || changes.isSynchronizable != nil
        guard touches, changed.protection.isThisDeviceOnly else { return }
        let isAllowed = profiles.behavior.synchronizableThisDeviceOnly == .allow
        let status: SecurityStatus = isAllowed ? .success : .param
        findings.append(
            Finding(
                .synchronizableThisDeviceOnly,
                verb: .update,
                item: old.itemClass.rawValue,
                status: status
            )
        )
        guard isAllowed else {
            throw KeychainError(.param, "a ThisDeviceOnly item cannot be synchronizable")
        }
    }

    /// Refuses to change a key's place in the secure element (KEY-17).
    private func checkElementKey(
        _ changed: PlainItem,
        against old: PlainItem,
        _ changes: Changes
    ) throws(KeychainError) {
        guard old.isElementKey || changed.isElementKey else { return }
        guard old.isElementKey, changed.isElementKey, changes.data == nil,
            !changed.isSynchronizable
        else {
            throw KeychainError(
                .param,
                "a key of the secure element cannot be replaced: create a new one there"
            )
        }
    }

    /// Refuses a new primary key (contradiction `primary-key-update`).
    ///
    /// Group and synchronizable may always change; repeating the old value is no change.
    private func checkPrimaryKey(
        _ changed: PlainItem,
        against old: PlainItem,
        findings: inout [Finding]
    ) throws(KeychainError) {
        let moved = Schema.primaryKey(of: old.itemClass).filter { attribute in
            guard attribute != .accessGroup, attribute != .synchronizable,
                let spec = Schema.spec(attribute, in: old.itemClass)
            else { return false }
            let bytes = { (item: PlainItem) in
                Coercion.canonicalBytes(
                    of: item[attribute] ?? Coercion.emptyValue(of: spec.kind),
                    kind: spec.kind
                )
            }
            return bytes(changed) != bytes(old)
        }
        guard !moved.isEmpty else { return }
        let isAllowed = profiles.behavior.primaryKeyUpdate == .allow
        let names = moved.map(\.rawValue).joined(separator: ", ")
        findings.append(
            Finding(
                .primaryKeyUpdate,
                verb: .update,
                item: old.itemClass.rawValue,
                status: isAllowed ? .success : .param,
                detail: "It changes \(names)."
            )
        )
        guard isAllowed else {
            let advice = "add a new item, then delete this one"
            let reason = "the primary key (\(names)) cannot be changed: \(advice)"
            throw KeychainError(.param, reason)
        }
    }
}

extension Changes {
    /// Whether the update replaces or removes the item's gate.
    fileprivate var replacesGate: Bool { accessControl != nil || protection != nil }
}

extension PlainItem {
    /// Returns the item after the changes, with a later modification date.
    func applying(_ changes: Changes, group: String?, at now: Double) -> PlainItem {
        var item = self
        // Each half of an identity takes only the attributes that its class has.
        for (attribute, value) in changes.attributes
        where Schema.spec(attribute, in: itemClass) != nil {
            item.attributes[attribute] = value
        }
        if changes.data != nil { item.hasNoValue = false }
        if let group { item.accessGroup = group }
        if let isSynchronizable = changes.isSynchronizable {
            item.isSynchronizable = isSynchronizable
        }
        if let control = changes.accessControl {
            item.accessControl = control
            item.protection = control.protection
        } else if let protection = changes.protection {
            // As on Apple's systems, a new accessibility by itself removes the access control.
            item.accessControl = nil
            item.protection = protection
        }
        item.attributes[.modificationDate] = .date(now)
        item.modify(after: self)
        return item
    }
}
