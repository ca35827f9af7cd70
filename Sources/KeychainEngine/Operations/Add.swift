import Cryptography
import DataProtection
import KeychainMessages
import KeychainModel
import Secrets

// SecItemAdd: seals the item first, so that a closed class is refused even if the item would be a
// duplicate. Then it inserts one row, which is durable before the call returns.
//
// Source: requirements QRY-06, QRY-29, CLS-08, CLS-09, ACC-05, ACC-26.
extension ItemVault {
    mutating func add(
        _ authorized: Authorized<AddQuery>,
        _ conversation: Conversation,
        _ session: inout DeviceSession,
        findings: inout [Finding]
    ) throws(KeychainError) -> ItemResult {
        let adding = try prepare(authorized, conversation, session)
        do throws(KeychainError) {
            let stored = try inTransaction(&session) { vault, session throws(KeychainError) in
                try vault.insert(adding.item, data: adding.data, gate: adding.gate, session)
            }
            return adding.result(stored)
        } catch {
            if error.status == .duplicateItem,
                recent.withLock({ $0.missed(adding.item) })
            {
                findings.append(
                    Finding(
                        .duplicateAfterMiss,
                        verb: .add,
                        item: adding.item.itemClass.rawValue,
                        status: error.status
                    )
                )
            }
            throw error
        }
    }

    /// Adds several items in one transaction: all of them or none.
    mutating func addAll(
        _ queries: [Authorized<AddQuery>],
        _ conversation: Conversation,
        _ session: inout DeviceSession,
        duplicates: DuplicateRule
    ) throws(KeychainError) -> [ItemResult] {
        var prepared: [PreparedItem] = []
        for query in queries { prepared.append(try prepare(query, conversation, session)) }
        let all = prepared
        return try inTransaction(&session) { vault, session throws(KeychainError) in
            var results: [ItemResult] = []
            var added = 0
            for adding in all {
                let stored = try vault.insertOrKeep(adding, duplicates, session)
                if stored.isNew { added += 1 }
                results.append(adding.result(stored.item))
            }
            guard added > 0 || duplicates == .tolerated else {
                throw KeychainError(.duplicateItem, "all of these items exist already")
            }
            return results
        }
    }

    /// Inserts an item, or returns the existing one if the rule tolerates duplicates.
    private mutating func insertOrKeep(
        _ adding: PreparedItem,
        _ duplicates: DuplicateRule,
        _ session: borrowing DeviceSession
    ) throws(KeychainError) -> (item: PlainItem, isNew: Bool) {
        do throws(KeychainError) {
            return (try insert(adding.item, data: adding.data, gate: adding.gate, session), true)
        } catch {
            guard error.status == .duplicateItem, duplicates != .refused else { throw error }
            let columns = try digests.columns(of: adding.item)
            guard let row = try row(withPrimaryKey: columns) else { throw error }
            var item = adding.item
            item.reference = row.item.columns.reference
            return (item, false)
        }
    }

    func prepare(
        _ authorized: Authorized<AddQuery>,
        _ conversation: Conversation,
        _ session: borrowing DeviceSession
    ) throws(KeychainError) -> PreparedItem {
        let query = authorized.query
        guard query.attributes[.tokenID] != .string(ElementKeyHandle.tokenID) else {
            return try preparedElementKey(authorized, session)
        }
        guard let group = authorized.destination else {
            throw KeychainError(
                .missingEntitlement,
                "the program has no access group to store the item in"
            )
        }
        let item = PlainItem(
            adding: query,
            to: group,
            reference: try environment.newReference(),
            at: environment.now()
        )
        return PreparedItem(
            item: item,
            gate: try makeGate(
                for: item,
                authorized.prover(query.authentication, conversation),
                session
            ),
            data: query.data ?? SharedSecret(Secret(copying: [])),
            returns: query.returns
        )
    }

    mutating func insert(
        _ item: PlainItem,
        data: SharedSecret,
        gate: Gate? = nil,
        _ session: borrowing DeviceSession
    ) throws(KeychainError) -> PlainItem {
        let sealed = try seal(item, secret: data.secret, gate: gate, session)
        try remember(accessGroup: item.accessGroup)
        let change: RowChange
        do throws(KeychainError) {
            change = try store.insert(sealed)
        } catch {
            guard error.status == .duplicateItem else { throw error }
            return try replaceTombstone(
                rowLike: sealed.columns,
                with: item,
                data: data,
                gate: gate,
                session
            )
        }
        try note(change)
        return item
    }

    /// Replaces a tombstone or an unreadable row with this primary key; throws for a live item.
    private mutating func replaceTombstone(
        rowLike columns: ItemColumns,
        with item: PlainItem,
        data: SharedSecret,
        gate: Gate?,
        _ session: borrowing DeviceSession
    ) throws(KeychainError) -> PlainItem {
        guard let row = try row(withPrimaryKey: columns), try isDead(row, session) else {
            throw KeychainError(.duplicateItem, KeychainError.duplicate)
        }
        var item = item
        item.reference = row.item.columns.reference
        if let tombstone = try? open(row, session)?.item { item.modify(after: tombstone) }
        let sealed = try seal(item, secret: data.secret, gate: gate, session)
        let change = try store.replace(SealedRow(row: row.row, item: sealed))
        try note(change)
        return item
    }

    func row(withPrimaryKey columns: ItemColumns) throws(KeychainError) -> SealedRow? {
        var filter = RowFilter(itemClass: columns.itemClass)
        filter.primaryKeys = [columns.primaryKey]
        filter.synchronizable = .any
        filter.isTombstone = nil
        return try store.rows(filter, withSecrets: true).first
    }

    /// Whether the row can be replaced without loss: it is a tombstone, or it is damaged.
    mutating func isDead(
        _ row: SealedRow,
        _ session: borrowing DeviceSession
    ) throws(KeychainError) -> Bool {
        if row.item.columns.isTombstone { return true }
        do throws(KeychainError) {
            return try open(row, session) == nil
        } catch {
            // A closed row may be alive.
            guard error.status == .interactionNotAllowed else { throw error }
            return false
        }
    }
}

/// An item that an add is about to store, with its value and the result that the caller requests.
struct PreparedItem: Sendable {
    var item: PlainItem
    let gate: Gate?
    var data: SharedSecret
    var returns: ReturnShape

    func result(_ stored: PlainItem) -> ItemResult {
        ResultAssembly.result(FoundItem(item: stored, data: data), returns, forAdd: true)
    }
}

extension PlainItem {
    /// Creates the item that an add describes, with the values that the keychain itself sets.
    init(adding query: AddQuery, to group: String, reference: [UInt8], at now: Double) {
        var attributes = query.attributes
        for spec in Schema.specs(of: query.itemClass) where spec.isFilledIn {
            attributes[spec.attribute] =
                attributes[spec.attribute] ?? Coercion.emptyValue(of: spec.kind)
        }
        attributes[.creationDate] = .date(now)
        attributes[.modificationDate] = .date(now)
        self.init(
            itemClass: query.itemClass,
            attributes: attributes,
            accessGroup: group,
            protection: query.protection,
            accessControl: query.accessControl,
            isSynchronizable: query.isSynchronizable,
            reference: reference,
            hasNoValue: query.data == nil
        )
        guard itemClass == .key, let hash = query.publicKeyHash else { return }
        identify(byPublicKey: hash, label: query.attributes[.applicationLabel])
    }

    /// Moves the modification date after another version's, even if the clock did not advance.
    mutating func modify(after earlier: PlainItem) {
        guard case .date(let before)? = earlier.attributes[.modificationDate],
            case .date(let now)? = attributes[.modificationDate]
        else { return }
        attributes[.modificationDate] = .date(max(now, before + 0.001))
    }
}

extension AttributeSpec {
    /// Whether an omitted value is stored as the empty one.
    fileprivate var isFilledIn: Bool {
        traits.contains(.defaulted) && !traits.contains(.plainColumn)
    }
}
