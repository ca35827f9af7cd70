import DataProtection
import KeychainModel
import Secrets

// The one way in which searches read a row. The first step changes nothing and asks nobody, so that
// several searches can take it at once. Whatever a row needs beside, from a metadata key to a
// question, takes the vault alone: that is the second step, and it goes on where the first stopped.

/// What a search makes of a row that it only reads.
enum RowReading {
    case found(ItemResult)
    /// It is not meant, or the caller may not see it.
    case skipped
    /// It takes the vault alone: a key to unwrap, damage, somebody to ask; what was opened so far.
    case needsExclusive(OpenRow?)
}

/// What whoever has the vault alone makes of a row.
enum RowOpening {
    case open(OpenRow)
    /// It is not meant, or the caller may not see it.
    case skipped
    /// It is not what was sealed, or nothing opens it any more.
    case damaged
}

// The first step.
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
        guard isMeant(open.item, by: query.selection, in: scope) else { return .skipped }
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

    /// The same where an error too is for the one that has the vault alone.
    func reading(
        of row: SealedRow,
        _ query: SelectQuery,
        _ scope: GroupScope,
        _ session: borrowing DeviceSession
    ) -> RowReading {
        do throws(KeychainError) { return try read(row, query, scope, session) } catch {
            return .needsExclusive(nil)
        }
    }
}

// The second step.
extension ItemVault {
    /// Opens a row with whatever key it takes; nothing is left to do for one that is known.
    ///
    /// - Throws: `errSecInteractionNotAllowed` while the row's class is closed.
    mutating func opening(
        of row: SealedRow,
        _ selection: Selection,
        in scope: GroupScope,
        _ session: borrowing DeviceSession,
        known: OpenRow? = nil
    ) throws(KeychainError) -> RowOpening {
        if let known { return .open(known) }
        guard let open = try open(row, session) else { return .damaged }
        return isMeant(open.item, by: selection, in: scope) ? .open(open) : .skipped
    }

    /// What is said of a damaged row.
    static func damaged(_ itemClass: ItemClass, _ verb: Finding.Verb) -> Finding {
        Finding(.damagedRow, verb: verb, item: itemClass.rawValue, status: .itemNotFound)
    }
}

// Which rows are meant.
extension ItemVault {
    /// Whether the attributes of an item are those that are looked for, and the caller's to see.
    private func isMeant(
        _ item: PlainItem,
        by selection: Selection,
        in scope: GroupScope
    ) -> Bool {
        isVisible(item, to: scope) && selection.admits(item)
    }

    /// The second check: the group that was sealed with the item, not the one in its column.
    private func isVisible(_ item: PlainItem, to scope: GroupScope) -> Bool {
        switch scope {
        case .groups(let groups): groups.contains(item.accessGroup)
        case .matching(let groups, let prefixes):
            groups.contains(item.accessGroup)
                || prefixes.contains { item.accessGroup.hasPrefix($0) }
        }
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
