import DataProtection
import KeychainModel
import Secrets

// SecItemCopyMatching: rows in the order in which they were added, opened one by one until the
// limit is reached.
//
// Source: requirements QRY-11 to QRY-47, ACC-26, ACC-28, STO-03, STO-07.
extension ItemVault {
    mutating func copyMatching(
        _ authorized: Authorized<SelectQuery>,
        _ conversation: Conversation,
        _ session: borrowing DeviceSession,
        findings: inout [Finding]
    ) throws(KeychainError) -> ItemResult {
        let query = authorized.query
        let prover = authorized.prover(query.authentication, conversation)
        let results = try matchesOrRefusal(authorized, prover, session, findings: &findings)
        return try answer(results, to: query)
    }

    /// Returns the matches in the shape that the query requests; throws if there are none.
    func answer(
        _ results: [ItemResult],
        to query: SelectQuery
    ) throws(KeychainError) -> ItemResult {
        guard let first = results.first else {
            recent.withLock { $0.remember(query.selection, .missed) }
            throw KeychainError(.itemNotFound, "no item matches the query")
        }
        if query.limit == .one { return first }
        return query.returns.isEmpty
            ? .nothing : .array(results.filter { !$0.isNothing })
    }

    /// Returns the matches, or the refusal in the form that the profile chooses.
    ///
    /// Before the first unlock, a profile may report unreadable items as absent (contradiction
    /// `before-first-unlock`).
    private mutating func matchesOrRefusal(
        _ authorized: Authorized<SelectQuery>,
        _ prover: Prover,
        _ session: borrowing DeviceSession,
        findings: inout [Finding]
    ) throws(KeychainError) -> [ItemResult] {
        do throws(KeychainError) {
            return authorized.query.selection.itemClass == .identity
                ? try identityMatches(authorized, prover, session, findings: &findings)
                : try matches(authorized, prover, session, findings: &findings)
        } catch {
            guard error.cause == nil, error.status == .interactionNotAllowed,
                session.device.state.lockState == .beforeFirstUnlock,
                profiles.behavior.beforeFirstUnlock == .itemNotFound
            else { throw error }
            throw KeychainError(.itemNotFound, error.reason)
        }
    }

    private mutating func matches(
        _ authorized: Authorized<SelectQuery>,
        _ prover: Prover,
        _ session: borrowing DeviceSession,
        findings: inout [Finding]
    ) throws(KeychainError) -> [ItemResult] {
        let query = authorized.query
        let limit = query.limit.count
        let filter = try filter(for: query.selection, in: authorized.scope)
        let cursor = try store.cursor(filter, withSecrets: query.needsSecrets)
        var results: [ItemResult] = []
        var held = HeldResults(environment)
        while results.count < limit, let row = try store.next(cursor) {
            try held.add(row)
            switch try read(row, query, authorized.scope, session) {
            case .found(let result): results.append(result)
            case .skipped: continue
            case .needsExclusive(let known):
                let opening = try openingOrRefusal(
                    of: row,
                    query.selection,
                    in: authorized.scope,
                    session,
                    known: known,
                    findings: &findings
                )
                guard case .open(let open) = opening,
                    let result = try match(open, authorized, prover, session)
                else { continue }
                results.append(result)
            }
        }
        return results
    }

    /// Returns the result for an open row that matches, and prompts if it has to.
    ///
    /// It returns nil if a certificate filter rejects the row, or if `found` returns nil.
    private mutating func match(
        _ open: OpenRow,
        _ authorized: Authorized<SelectQuery>,
        _ prover: Prover,
        _ session: borrowing DeviceSession
    ) throws(KeychainError) -> ItemResult? {
        let query = authorized.query
        guard
            try admitsCertificate(
                open,
                query.selection,
                in: authorized.scope,
                for: prover,
                session
            ),
            let found = try found(open, withSecret: query.needsSecrets, for: prover, session)
        else { return nil }
        return ResultAssembly.result(found, query.returns, forAdd: false)
    }

    /// Opens a row for a search; reports damage, and remembers a refusal.
    mutating func openingOrRefusal(
        of row: SealedRow,
        _ selection: Selection,
        in scope: GroupScope,
        _ session: borrowing DeviceSession,
        known: OpenRow? = nil,
        findings: inout [Finding]
    ) throws(KeychainError) -> RowOpening {
        do throws(KeychainError) {
            let opening = try opening(of: row, selection, in: scope, session, known: known)
            if case .damaged = opening {
                findings.append(Self.damaged(selection.itemClass, .copyMatching))
            }
            return opening
        } catch {
            recent.withLock { $0.remember(selection, .refused) }
            throw error
        }
    }

    /// Returns the row, with its value if that is requested.
    ///
    /// - Returns: nil if the value is damaged, or if it needs a prompt that the call skips.
    mutating func found(
        _ row: OpenRow,
        withSecret: Bool,
        for prover: Prover,
        _ session: borrowing DeviceSession
    ) throws(KeychainError) -> FoundItem? {
        guard let (row, gate) = try passGateOrSkip(row, for: prover, session) else { return nil }
        guard withSecret else { return FoundItem(item: row.item) }
        guard let secret = try openSecret(of: row, session, gate: gate?.key) else { return nil }
        return FoundItem(item: row.item, data: SharedSecret(secret))
    }
}

extension SelectQuery {
    /// Whether values are opened: for data, for references, and for filters that read certificates.
    var needsSecrets: Bool {
        returns.data || (returns.reference && selection.itemClass.hasReferences)
            || selection.filters.contains(where: \.needsCertificate)
    }
}

extension MatchLimit {
    /// The most rows that the search returns.
    var count: Int {
        switch self {
        case .one: 1
        case .atMost(let count): count
        case .all: .max
        }
    }
}

extension ItemResult {
    var isNothing: Bool {
        if case .nothing = self { true } else { false }
    }
}

extension Selection {
    /// Whether an item passes the conditions that need its attributes in the clear.
    func admits(_ item: PlainItem) -> Bool {
        filters.allSatisfy { $0.admits(item) } && (!ignoresCase || admitsIgnoringCase(item))
            && (pairs.isEmpty || item.pairs.contains(pairs))
    }

    private func admitsIgnoringCase(_ item: PlainItem) -> Bool {
        terms.allSatisfy { attribute, value in
            guard case .string(let wanted) = value else { return true }
            guard case .string(let found)? = item[attribute] else { return false }
            return wanted.lowercased() == found.lowercased()
        }
    }
}

extension MatchFilter {
    /// Whether the attributes pass the filter; filters that read certificates run elsewhere.
    func admits(_ item: PlainItem) -> Bool {
        switch self {
        case .hostOrSubdomain(let host):
            guard case .string(let server)? = item[.server] else { return false }
            return server == host || server.hasSuffix("." + host)
        case .issuers, .emailAddress, .validOn, .trustedOnly, .policy: return true
        }
    }
}
