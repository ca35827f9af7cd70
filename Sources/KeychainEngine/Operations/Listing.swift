import DataProtection
import KeychainMessages
import KeychainModel

// Listings: searches without prompts, in which an unreadable item hides only itself.
//
// Source: requirement USE-06.
extension ItemVault {
    /// Returns every match, with the readable parts of those that do not open.
    ///
    /// - Throws: `errSecParam` for identities: list their keys and certificates instead.
    mutating func list(
        _ authorized: Authorized<SelectQuery>,
        _ conversation: Conversation,
        _ session: borrowing DeviceSession,
        findings: inout [Finding]
    ) throws(KeychainError) -> Listing {
        let query = authorized.query
        guard query.selection.itemClass != .identity else {
            throw KeychainError(.param, "a listing of identities is one of keys and certificates")
        }
        let prover = authorized.prover(
            query.authentication,
            Conversation(in: conversation.surroundings)
        )
        let filter = try filter(for: query.selection, in: authorized.scope)
        let groups = try groupNames()
        let cursor = try store.cursor(filter, withSecrets: query.needsSecrets)
        var listing = Listing()
        var held = HeldResults(environment)
        while let row = try store.next(cursor) {
            try held.add(row)
            switch reading(of: row, query, authorized.scope, session) {
            case .found(let result): listing.append(result)
            case .skipped: continue
            case .needsExclusive(let known):
                do throws(KeychainError) {
                    let opening = try opening(
                        of: row,
                        query.selection,
                        in: authorized.scope,
                        session,
                        known: known
                    )
                    switch opening {
                    case .open(let row):
                        try list(row, authorized, prover, session, in: &listing)
                    case .skipped: continue
                    case .damaged:
                        findings.append(Self.damaged(query.selection.itemClass, .copyMatching))
                    }
                } catch {
                    guard error.status == .interactionNotAllowed else { throw error }
                    listing.outOfReach.append(OutOfReachItem(closed: row, groups, error))
                }
            }
        }
        return listing
    }

    /// Adds a row to the items; if it needs a prompt, to those out of reach.
    private mutating func list(
        _ row: OpenRow,
        _ authorized: Authorized<SelectQuery>,
        _ prover: Prover,
        _ session: borrowing DeviceSession,
        in listing: inout Listing
    ) throws(KeychainError) {
        let query = authorized.query
        guard
            try admitsCertificate(
                row,
                query.selection,
                in: authorized.scope,
                for: prover,
                session
            )
        else { return }
        if profiles.system.enforcesLockState, row.item.gateConstraint != nil {
            let error = KeychainError(
                .interactionNotAllowed,
                "its access control requires a prompt"
            )
            return listing.outOfReach.append(OutOfReachItem(row, .accessControl, error))
        }
        do throws(KeychainError) {
            let found = try found(
                row,
                withSecret: query.needsSecrets,
                for: prover,
                session
            )
            guard let found else { return }
            listing.append(ResultAssembly.result(found, query.returns, forAdd: false))
        } catch {
            guard error.status == .interactionNotAllowed else { throw error }
            listing.outOfReach.append(OutOfReachItem(row, .lockState, error))
        }
    }

    /// Returns the names of the access groups by their digests.
    private func groupNames() throws(KeychainError) -> [[UInt8]: String] {
        let groups = try store.accessGroups()
        return groups.reduce(into: [:]) { names, group in
            names[group.digest] = digests.openName(group.name, digest: group.digest)
        }
    }
}

extension Listing {
    fileprivate mutating func append(_ result: ItemResult) {
        if case .dictionary(let item) = result { items.append(item) }
    }
}

extension OutOfReachItem {
    /// Creates the entry of an item whose attributes opened.
    fileprivate init(_ row: OpenRow, _ obstacle: Obstacle, _ error: KeychainError) {
        self.init(
            row.item.itemClass,
            obstacle,
            attributes: ResultAssembly.attributes(of: row.item, forAdd: false),
            persistentReference: row.sealed.item.columns.persistentReference,
            error: error
        )
    }

    /// Creates the entry of an item in a closed class; its columns contain the group and the class.
    fileprivate init(closed row: SealedRow, _ groups: [[UInt8]: String], _ error: KeychainError) {
        let columns = row.item.columns
        let place = Schema.digestColumns(of: columns.itemClass).firstIndex(of: .accessGroup)
        let group = place.flatMap { columns.digests[$0] }.flatMap { groups[$0] }
        var attributes: AttributeValues = [:]
        attributes[.accessGroup] = group.map(AttributeValue.string)
        attributes[.accessible] = .string(columns.protection.code)
        self.init(
            columns.itemClass,
            .lockState,
            attributes: attributes,
            persistentReference: columns.persistentReference,
            error: error
        )
    }
}

extension ItemColumns {
    /// The persistent reference of the row.
    fileprivate var persistentReference: [UInt8] {
        PersistentReference(itemClass: itemClass, uuid: reference).encoded
    }
}
