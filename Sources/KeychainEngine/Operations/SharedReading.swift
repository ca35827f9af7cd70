import DataProtection
import KeychainModel
import Secrets

// Searches that change nothing, several at once: what they find, they find without the state for
// themselves. Whatever else there is to do, from a refresh to a question, is done by the ordinary
// search, which starts over.
//
// Source: ARCHITECTURE.md, invariant 4: keys are read while the lock is shared, and leave while it
// is not.
extension EngineState {
    /// Whether neither time nor other processes changed anything since the last refresh.
    func isCurrent() -> Bool {
        guard announcements.isEmpty, device.state.evictionDeadline == nil, device.isUnchanged else {
            return false
        }
        guard let session = environment.session, device.isPasscodeSet else { return true }
        guard let stamp = try? session.stamp() else { return sessionStamp == .some(nil) }
        return sessionStamp == .some(stamp)
    }

    /// What a search finds in rows that open as they are.
    ///
    /// - Returns: nil when it needs the state for itself; no results when nothing matches.
    func sharedMatches(_ authorized: Authorized<SelectQuery>) -> [ItemResult]? {
        let query = authorized.query
        guard let readers, isCurrent(), query.selection.itemClass != .identity,
            query.selection.filters.allSatisfy({ !$0.looksAtCertificates }),
            let filter = try? filter(for: query.selection, in: authorized.scope)
        else { return nil }
        // Any error is told by the ordinary search, which meets it again.
        return try? readers.withReader { store throws(StoreError) in
            try matches(filter, query, authorized.scope, in: store)
        }
    }

    private func matches(
        _ filter: RowFilter,
        _ query: SelectQuery,
        _ scope: GroupScope,
        in store: borrowing ItemStore
    ) throws(StoreError) -> [ItemResult]? {
        let needsSecrets = query.needsSecrets
        let wantsValueAlone = filter.primaryKeys != nil && query.wantsValueAlone
        let cursor = try store.cursor(filter, withSecrets: needsSecrets)
        var results: [ItemResult] = []
        while results.count < query.limit.count, let row = try store.next(cursor) {
            if wantsValueAlone {
                guard let secret = try? openSecret(of: row.item) else { return nil }
                results.append(.data(SharedSecret(secret)))
                continue
            }
            guard let key = keyring.known(row.item.columns.protection),
                let open = try? open(row, under: key), open.item.gateConstraint == nil
            else { return nil }
            guard isVisible(open.item, to: scope), query.selection.admits(open.item) else {
                continue
            }
            var found = FoundItem(item: open.item)
            if needsSecrets {
                guard let secret = try? openSecret(of: open, gate: nil) else { return nil }
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
        returns.data && returns.count == 1 && selection.filters.isEmpty
            && !selection.itemClass.hasReferences
    }
}

extension MatchFilter {
    /// Whether more than the attributes of the item itself is looked at.
    fileprivate var looksAtCertificates: Bool {
        if case .hostOrSubdomain = self { false } else { true }
    }
}
