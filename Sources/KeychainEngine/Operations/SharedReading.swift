import DataProtection
import KeychainModel
import Secrets

// Concurrent searches: they share the state, and each has a connection of its own. If a row needs
// more than reading, `CopyMatching` repeats the search with exclusive access.
//
// Source: ARCHITECTURE.md, invariant 4: keys are read under the shared lock, and wiped under the
// exclusive one.
extension ItemVault {
    /// Returns the matches among rows that open directly.
    ///
    /// - Returns: nil if the search needs exclusive access; an empty array if nothing matches.
    func sharedMatches(
        _ authorized: Authorized<SelectQuery>,
        _ session: borrowing DeviceSession
    ) -> [ItemResult]? {
        guard session.isCurrent(), let readers else { return nil }
        do throws(KeychainError) {
            if let found = try values(authorized, session, from: readers) { return found }
            return try rows(authorized, session, from: readers)
        } catch {
            // The search with exclusive access meets the same error, and reports it.
            return nil
        }
    }

    /// Returns the values of rows with one of the caller's primary keys; their attributes stay
    /// sealed.
    ///
    /// - Returns: nil if the query requests more than values, or if a row needs exclusive access.
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
            // Only the search that also opens the attributes can tell closed from damaged.
            return .needsExclusive(nil)
        }
    }

    /// Returns the results for rows that open directly; nil if one of them needs exclusive access.
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
    /// Whether the query requests only the value of a row, by primary key.
    ///
    /// The attributes of such a row can stay sealed: the value's associated data contain the
    /// primary key, and with it the access group. Classes with references are excluded, because an
    /// attribute says whether a key may leave.
    fileprivate var wantsValueAlone: Bool {
        returns.data && returns.count == 1 && selection.namesKeyAlone
            && !selection.itemClass.hasReferences
    }
}

extension Selection {
    /// Whether it names attributes of the primary key and no others.
    fileprivate var namesKeyAlone: Bool {
        filters.isEmpty && pairs.isEmpty && protection == nil && !matchesTombstones
            && terms.keys.allSatisfy(Schema.primaryKey(of: itemClass).contains)
    }
}
