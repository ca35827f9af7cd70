import DataProtection
import KeychainModel
import Secrets

// Searches side by side: they share the state, and each has a connection of its own. When a row
// takes more than reading, `CopyMatching` makes the search again with the vault for itself.
//
// Source: ARCHITECTURE.md, invariant 4: keys are read while the lock is shared, and leave while it
// is not.
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
        return try readers.withReader { store throws(KeychainError) in
            let statement = try store.values(of: itemClass, keys: keys)
            defer { statement.rewind() }
            var results: [ItemResult] = []
            var held = HeldResults(environment)
            while results.count < limit,
                let value = try store.next(statement, of: itemClass, keys: keys)
            {
                try held.add(value.sealed.count)
                guard case .found(let result) = read(value, session) else { return nil }
                results.append(result)
            }
            return results
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

    /// What rows are that open as they are; nil when one of them needs more.
    private func rows(
        _ authorized: Authorized<SelectQuery>,
        _ session: borrowing DeviceSession,
        from readers: ReaderPool
    ) throws(KeychainError) -> [ItemResult]? {
        let query = authorized.query
        guard query.selection.itemClass != .identity, !query.looksAtCertificates else { return nil }
        let limit = query.limit.count
        return try readers.withReader { store throws(KeychainError) in
            let filter = try filter(
                for: query.selection,
                in: authorized.scope,
                readingGroupsFrom: store
            )
            let cursor = try store.cursor(filter, withSecrets: query.needsSecrets)
            var results: [ItemResult] = []
            var held = HeldResults(environment)
            while results.count < limit, let row = try store.next(cursor) {
                try held.add(row)
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
        filters.isEmpty && pairs.isEmpty && protection == nil && !matchesTombstones
            && terms.keys.allSatisfy(Schema.primaryKey(of: itemClass).contains)
    }
}
