import DataProtection
import KeychainModel
import Secrets

// Searches that change nothing, several at once: what they find, they find without the state for
// themselves. Whatever else there is to do, from a refresh to a question, is done by the ordinary
// search, which starts over.
//
// Source: ARCHITECTURE.md, invariant 4: keys are read while the lock is shared, and leave while it
// is not.
extension ItemVault {
    /// What a search finds in rows that open as they are.
    ///
    /// - Returns: nil when it needs the state for itself; no results when nothing matches.
    func sharedMatches(
        _ authorized: Authorized<SelectQuery>,
        _ session: borrowing DeviceSession
    ) -> [ItemResult]? {
        guard session.isCurrent() else { return nil }
        return values(authorized, session) ?? opened(authorized, session)
    }

    /// The values of rows that have one of the caller's primary keys, their attributes sealed.
    ///
    /// - Returns: nil when something else is asked for, or one of them needs more to be opened.
    private func values(
        _ authorized: Authorized<SelectQuery>,
        _ session: borrowing DeviceSession
    ) -> [ItemResult]? {
        guard let readers, authorized.query.wantsValueAlone,
            let keys = try? primaryKeyDigests(
                of: authorized.query.selection,
                in: authorized.scope
            )
        else { return nil }
        let itemClass = authorized.query.selection.itemClass
        let limit = authorized.query.limit.count
        return try? readers.withReader { store throws(StoreError) in
            let statement = try store.values(of: itemClass, keys: keys)
            defer { statement.rewind() }
            var results: [ItemResult] = []
            while results.count < limit, let value = try store.next(statement, of: itemClass) {
                guard let secret = openSecret(of: value, session) else { return nil }
                results.append(.data(SharedSecret(secret)))
            }
            return results
        }
    }

    private func openSecret(
        of value: SealedValue,
        _ session: borrowing DeviceSession
    ) -> Secret? {
        let cipher = cipher
        let secret = try? session.device.withClassKey(
            value.row.protection,
            else: CipherError.init(unavailable:)
        ) { key throws(CipherError) in
            work.countTrip()
            return try cipher.openSecret(of: value, under: key)
        }
        if secret != nil { work.countSecret() }
        return secret
    }

    private func opened(
        _ authorized: Authorized<SelectQuery>,
        _ session: borrowing DeviceSession
    ) -> [ItemResult]? {
        let query = authorized.query
        guard let readers, query.selection.itemClass != .identity,
            query.selection.filters.allSatisfy({ !$0.looksAtCertificates }),
            let filter = try? filter(for: query.selection, in: authorized.scope)
        else { return nil }
        // Any error is told by the ordinary search, which meets it again.
        return try? readers.withReader { store throws(StoreError) in
            try matches(filter, query, authorized.scope, session, in: store)
        }
    }

    private func matches(
        _ filter: RowFilter,
        _ query: SelectQuery,
        _ scope: GroupScope,
        _ session: borrowing DeviceSession,
        in store: borrowing ItemStore
    ) throws(StoreError) -> [ItemResult]? {
        let needsSecrets = query.needsSecrets
        let cursor = try store.cursor(filter, withSecrets: needsSecrets)
        var results: [ItemResult] = []
        while results.count < query.limit.count, let row = try store.next(cursor) {
            guard let key = keyring.known(row.item.columns.protection),
                let open = try? open(row, under: key, session),
                open.item.gateConstraint == nil
            else { return nil }
            guard isVisible(open.item, to: scope), query.selection.admits(open.item) else {
                continue
            }
            var found = FoundItem(item: open.item)
            if needsSecrets {
                guard let secret = try? openSecret(of: open, session) else { return nil }
                found.data = SharedSecret(secret)
            }
            results.append(ResultAssembly.result(found, query.returns, forAdd: false))
        }
        return results
    }
}

extension SelectQuery {
    /// Whether a row that has one of the caller's primary keys answers with its value, so that its
    /// attributes may stay sealed: what the value is sealed with names the primary key, and with it
    /// the access group.
    ///
    /// Not for classes with references: whether a key may leave is an attribute of it.
    fileprivate var wantsValueAlone: Bool {
        returns.data && returns.count == 1 && selection.namesKeyAlone
            && !selection.itemClass.hasReferences
    }
}

extension Selection {
    /// Whether it names attributes of the primary key and nothing beside them.
    fileprivate var namesKeyAlone: Bool {
        filters.isEmpty && protection == nil && !matchesTombstones
            && terms.keys.allSatisfy(Schema.primaryKey(of: itemClass).contains)
    }
}

extension MatchFilter {
    /// Whether more than the attributes of the item itself is looked at.
    fileprivate var looksAtCertificates: Bool {
        if case .hostOrSubdomain = self { false } else { true }
    }
}
