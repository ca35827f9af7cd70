import DataProtection
import KeychainModel
import Secrets

// The one way rows are read by a search: it changes nothing and asks nobody, so that several
// searches can share the rooms. Whatever a row needs beside, from a metadata key to a question, is
// done by `CopyMatching`, which has the vault for itself and goes on where the reading stopped.
//
// Source: ARCHITECTURE.md, invariant 4: keys are read while the lock is shared, and leave while it
// is not.

/// What a search makes of a row.
enum RowReading {
    case found(ItemResult)
    /// It is not meant, or the caller may not see it.
    case skipped
    /// It takes the vault alone: a key to unwrap, damage, somebody to ask; what was opened so far.
    case needsExclusive(OpenRow?)
}

// Reading one row.
extension ItemVault {
    /// Reads a row whose keys are open.
    func read(
        _ row: SealedRow,
        _ query: SelectQuery,
        _ scope: GroupScope,
        _ session: borrowing DeviceSession
    ) throws(KeychainError) -> RowReading {
        guard let key = keyring.known(row.item.columns.protection),
            let open = try open(row, under: key, session)
        else { return .needsExclusive(nil) }
        guard isVisible(open.item, to: scope), query.selection.admits(open.item) else {
            return .skipped
        }
        guard open.item.gateConstraint == nil, !query.looksAtCertificates else {
            return .needsExclusive(open)
        }
        var found = FoundItem(item: open.item)
        if query.needsSecrets {
            guard let secret = try openSecret(of: open, session) else {
                return .needsExclusive(open)
            }
            found.data = SharedSecret(secret)
        }
        return .found(ResultAssembly.result(found, query.returns, forAdd: false))
    }

    /// The same for a search that shares the vault: an error too is for the one that has it alone.
    private func reading(
        of row: SealedRow,
        _ query: SelectQuery,
        _ scope: GroupScope,
        _ session: borrowing DeviceSession
    ) -> RowReading {
        do throws(KeychainError) { return try read(row, query, scope, session) } catch {
            return .needsExclusive(nil)
        }
    }

    /// Reads a value whose attributes stay sealed.
    private func read(
        _ value: SealedValue,
        _ session: borrowing DeviceSession
    ) -> RowReading {
        let cipher = cipher
        do throws(CipherError) {
            let secret = try session.device.withClassKey(
                value.protection,
                else: CipherError.init(unavailable:)
            ) { key throws(CipherError) in
                work.countTrip()
                return try cipher.openSecret(of: value, under: key)
            }
            work.countSecret()
            return .found(.data(SharedSecret(secret)))
        } catch {
            // Closed or damaged: whoever opens the attributes too can say which.
            return .needsExclusive(nil)
        }
    }
}

// Reading side by side.
extension ItemVault {
    /// What a search finds in rows that open as they are.
    ///
    /// - Returns: nil when it needs the vault for itself; no results when nothing matches.
    func sharedMatches(
        _ authorized: Authorized<SelectQuery>,
        _ session: borrowing DeviceSession
    ) -> [ItemResult]? {
        guard session.isCurrent(), let readers else { return nil }
        do throws(KeychainError) {
            if let found = try values(authorized, session, from: readers) { return found }
            return try rows(authorized, session, from: readers)
        } catch {
            // The search that has the vault for itself meets the error again, and tells it.
            return nil
        }
    }

    /// The values of rows that have one of the caller's primary keys, their attributes sealed.
    ///
    /// - Returns: nil when something else is asked for, or one of them needs more to be opened.
    private func values(
        _ authorized: Authorized<SelectQuery>,
        _ session: borrowing DeviceSession,
        from readers: ReaderPool
    ) throws(KeychainError) -> [ItemResult]? {
        let query = authorized.query
        guard query.wantsValueAlone,
            let keys = try primaryKeyDigests(of: query.selection, in: authorized.scope)
        else { return nil }
        let itemClass = query.selection.itemClass
        let limit = query.limit.count
        return try visit { () throws(StoreError) in
            try readers.withReader { store throws(StoreError) in
                let statement = try store.values(of: itemClass, keys: keys)
                defer { statement.rewind() }
                var results: [ItemResult] = []
                while results.count < limit,
                    let value = try store.next(statement, of: itemClass, keys: keys)
                {
                    guard case .found(let result) = read(value, session) else { return nil }
                    results.append(result)
                }
                return results
            }
        }
    }

    private func rows(
        _ authorized: Authorized<SelectQuery>,
        _ session: borrowing DeviceSession,
        from readers: ReaderPool
    ) throws(KeychainError) -> [ItemResult]? {
        let query = authorized.query
        guard query.selection.itemClass != .identity, !query.looksAtCertificates else { return nil }
        let filter = try filter(for: query.selection, in: authorized.scope)
        let limit = query.limit.count
        return try visit { () throws(StoreError) in
            try readers.withReader { store throws(StoreError) in
                let cursor = try store.cursor(filter, withSecrets: query.needsSecrets)
                var results: [ItemResult] = []
                while results.count < limit, let row = try store.next(cursor) {
                    switch reading(of: row, query, authorized.scope, session) {
                    case .found(let result): results.append(result)
                    case .skipped: continue
                    case .needsExclusive: return nil
                    }
                }
                return results
            }
        }
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

extension SelectQuery {
    /// Whether more than the attributes of the item itself is looked at.
    var looksAtCertificates: Bool { selection.filters.contains(where: \.looksAtCertificates) }
}

extension MatchFilter {
    /// Whether more than the attributes of the item itself is looked at.
    fileprivate var looksAtCertificates: Bool {
        if case .hostOrSubdomain = self { false } else { true }
    }
}
