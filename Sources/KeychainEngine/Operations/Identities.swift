import Cryptography
import DataProtection
import KeychainModel
import Secrets

// Definitions  "identity": a certificate and a private key with the same public key, matched by
//              the stored hash of that key, or else by the application label; both are in groups
//              that the caller may see.
//              "location": the access group of an item and whether it is synchronizable.
// Invariants   (1) An identity itself is not stored: it exists while both its halves exist.
//              (2) Group and synchronizable of a query apply to both halves.
//              (3) A key is deleted with an identity only if no other certificate needs it.
//
// Source: requirements CRT-04 to CRT-07, CRT-14, CLS-06; Documentation/Spec/item.md §6.

/// A certificate and its private key.
struct IdentityRows: Sendable {
    let certificate: OpenRow
    let key: OpenRow
}

/// The groups to search: for both halves, and for the certificates of issuers.
private struct IdentityScope {
    let halves: GroupScope
    let issuers: GroupScope

    init<Query>(_ authorized: Authorized<Query>) {
        halves = authorized.scope
        issuers = authorized.reach
    }
}

extension Selection {
    /// The attributes that filter the certificate; all others filter the key.
    private static let certificateAttributes: Set<Attribute> = [
        .label, .issuer, .serialNumber, .subjectKeyID, .tokenID, .subject, .publicKeyHash,
        .certificateType, .certificateEncoding,
    ]

    /// The certificate's part of a search for identities; a reference names the certificate.
    fileprivate var certificatePart: Selection {
        var part = Selection(itemClass: .certificate)
        part.terms = terms.filter { Self.certificateAttributes.contains($0.key) }
        part.synchronizable = synchronizable
        part.reference = reference
        part.ignoresCase = ignoresCase
        return part
    }

    /// The key's part of the search, before a certificate determines the key.
    fileprivate var keyPart: Selection {
        var part = Selection(itemClass: .key)
        part.terms = terms.filter { !Self.certificateAttributes.contains($0.key) }
        part.terms[.keyClass] = .number(1)
        part.synchronizable = synchronizable
        part.protection = protection
        part.publicKeyHash = publicKeyHash
        part.ignoresCase = ignoresCase
        return part
    }
}

// Finding.
extension ItemVault {
    mutating func identityMatches(
        _ authorized: Authorized<SelectQuery>,
        _ prover: Prover,
        _ session: borrowing DeviceSession,
        findings: inout [Finding]
    ) throws(KeychainError) -> [ItemResult] {
        let query = authorized.query
        var results: [ItemResult] = []
        let pairs = try identities(
            query.selection,
            in: IdentityScope(authorized),
            limit: prover.terms.interface == .skip ? .max : query.limit.count,
            prover,
            session,
            withSecrets: query.needsSecrets,
            findings: &findings
        )
        for pair in pairs where results.count < query.limit.count {
            let withSecret = query.needsSecrets
            guard var found = try found(pair.key, withSecret: withSecret, for: prover, session),
                let certificate = try self.found(
                    pair.certificate,
                    withSecret: withSecret,
                    for: prover,
                    session
                )
            else { continue }
            found.certificate = certificate.item
            found.certificateData = certificate.data
            results.append(ResultAssembly.result(found, query.returns, forAdd: false))
        }
        return results
    }

    /// Returns the selection of a certificate's keys; nil if its hash is missing or not the wanted
    /// one.
    func identityFilter(_ certificate: OpenRow, _ key: Selection) -> Selection? {
        guard case .data(let hash)? = certificate.item[.publicKeyHash], !hash.isEmpty else {
            return nil
        }
        var key = key
        if let wanted = key.publicKeyHash, wanted != hash { return nil }
        key.publicKeyHash = hash
        return key
    }

    /// Returns certificates in the order in which they were added, each with its keys.
    private mutating func identities(
        _ selection: Selection,
        in scope: IdentityScope,
        limit: Int,
        _ prover: Prover,
        _ session: borrowing DeviceSession,
        withSecrets: Bool,
        findings: inout [Finding]
    ) throws(KeychainError) -> [IdentityRows] {
        let certificates = try openRows(
            selection.certificatePart,
            in: scope.halves,
            session,
            withSecrets: withSecrets,
            findings: &findings
        )
        var pairs: [IdentityRows] = []
        for certificate in certificates {
            guard
                try admitsCertificate(
                    certificate,
                    selection,
                    in: scope.issuers,
                    for: prover,
                    session
                )
            else { continue }
            guard let part = identityFilter(certificate, selection.keyPart) else { continue }
            let keys = try openRows(
                part,
                in: scope.halves,
                session,
                withSecrets: withSecrets,
                findings: &findings
            )
            for key in keys where pairs.count < limit {
                pairs.append(IdentityRows(certificate: certificate, key: key))
            }
            if pairs.count >= limit { break }
        }
        return pairs
    }

    /// Returns all rows of a selection that open.
    private mutating func openRows(
        _ selection: Selection,
        in scope: GroupScope,
        _ session: borrowing DeviceSession,
        withSecrets: Bool,
        findings: inout [Finding]
    ) throws(KeychainError) -> [OpenRow] {
        let filter = try filter(for: selection, in: scope)
        let rows = try store.rows(filter, withSecrets: withSecrets)
        var found: [OpenRow] = []
        for row in rows {
            let opening = try openingOrRefusal(
                of: row,
                selection,
                in: scope,
                session,
                findings: &findings
            )
            if case .open(let open) = opening { found.append(open) }
        }
        return found
    }
}

// Updating and deleting both halves, in the caller's transaction.
extension ItemVault {
    mutating func updateIdentities(
        _ authorized: Authorized<UpdateQuery>,
        _ prover: Prover,
        _ session: borrowing DeviceSession,
        findings: inout [Finding]
    ) throws(KeychainError) {
        let pairs = try identities(
            authorized.query.selection,
            in: IdentityScope(authorized),
            limit: .max,
            prover,
            session,
            withSecrets: true,
            findings: &findings
        )
        guard !pairs.isEmpty else {
            throw KeychainError(.itemNotFound, "no identity matches the query")
        }
        var done = Set<TableRow>()
        for half in pairs.flatMap({ [$0.certificate, $0.key] }) {
            guard done.insert(TableRow(half)).inserted else { continue }
            try update(half, authorized, prover, session, findings: &findings)
        }
        if let group = authorized.destination { try remember(accessGroup: group) }
    }

    mutating func deleteIdentities(
        _ authorized: Authorized<DeleteQuery>,
        _ session: borrowing DeviceSession,
        findings: inout [Finding]
    ) throws(KeychainError) -> Removal {
        let query = authorized.query
        let pairs = try identitiesToDelete(
            query.selection,
            in: IdentityScope(authorized),
            session,
            findings: &findings
        )
        guard !pairs.isEmpty else {
            throw KeychainError(.itemNotFound, "no identity matches the query")
        }
        var certificates = Set<TableRow>()
        for pair in pairs where certificates.insert(TableRow(pair.certificate)).inserted {
            try delete(
                pair.certificate.sealed,
                leavesTombstone: query.leavesTombstones,
                session
            )
        }
        var keys = Set<TableRow>()
        var keptCount = 0
        for pair in pairs where keys.insert(TableRow(pair.key)).inserted {
            if try isKeyNeeded(pair.key, of: pair.certificate, in: authorized.reach) {
                keptCount += 1
            } else {
                try delete(pair.key, leavesTombstone: query.leavesTombstones, session)
            }
        }
        return Removal(
            matchCount: certificates.count,
            itemCount: certificates.count + keys.count - keptCount
        )
    }

    /// Finds the identities to delete; keys stay sealed, because deleting needs no class key.
    private mutating func identitiesToDelete(
        _ selection: Selection,
        in scope: IdentityScope,
        _ session: borrowing DeviceSession,
        findings: inout [Finding]
    ) throws(KeychainError) -> [(certificate: OpenRow, key: SealedRow)] {
        let certificates = try openRows(
            selection.certificatePart,
            in: scope.halves,
            session,
            withSecrets: false,
            findings: &findings
        )
        var pairs: [(certificate: OpenRow, key: SealedRow)] = []
        for certificate in certificates {
            guard let part = identityFilter(certificate, selection.keyPart) else { continue }
            let filter = try filter(for: part, in: scope.halves)
            let keys = try store.rows(filter, withSecrets: false)
            pairs += keys.map { (certificate, $0) }
        }
        return pairs
    }

    /// Whether a remaining certificate still needs the key.
    ///
    /// It does if it is at the key's location, or if its own location has no such key.
    private func isKeyNeeded(
        _ key: SealedRow,
        of certificate: OpenRow,
        in reach: GroupScope
    ) throws(KeychainError) -> Bool {
        guard case .data(let hash)? = certificate.item[.publicKeyHash] else { return false }
        var certificates = Selection(itemClass: .certificate)
        certificates.terms[.publicKeyHash] = .data(hash)
        let left = try homes(of: certificates, in: reach)
        if left.isEmpty || left.contains(ItemLocation(key)) { return !left.isEmpty }
        var keys = Selection(itemClass: .key)
        keys.terms[.keyClass] = .number(1)
        keys.publicKeyHash = hash
        return !left.isSubset(of: try homes(of: keys, in: reach))
    }

    private func homes(
        of selection: Selection,
        in scope: GroupScope
    ) throws(KeychainError) -> Set<ItemLocation> {
        var selection = selection
        selection.synchronizable = .any
        let filter = try filter(for: selection, in: scope)
        let rows = try store.rows(filter, withSecrets: false)
        return Set(rows.map(ItemLocation.init))
    }
}

/// The identity of one row of one table.
private struct TableRow: Hashable {
    private let itemClass: ItemClass
    private let row: Int64

    init(_ row: OpenRow) { self.init(row.sealed) }

    init(_ row: SealedRow) {
        itemClass = row.item.columns.itemClass
        self.row = row.row
    }
}

/// The location of an item, read from the row without opening it.
private struct ItemLocation: Hashable {
    private let group: [UInt8]?
    private let isSynchronizable: Bool

    init(_ row: SealedRow) {
        group = row.item.columns.groupDigest
        isSynchronizable = row.item.columns.isSynchronizable
    }
}
