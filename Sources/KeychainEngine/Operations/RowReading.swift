import DataProtection
import KeychainModel
import Secrets

// The only way in which searches read a row. The first step changes nothing and prompts for
// nothing, so several searches can run it at once. A row that needs more, such as a metadata key or
// a prompt, requires exclusive access to the vault. That is the second step; it continues the
// first.

/// The outcome of reading a row without changes.
enum RowReading {
    case found(ItemResult)
    /// The row does not match, or the caller may not see it.
    case skipped
    /// The row needs exclusive access: to unwrap a key, report damage or prompt. Carries the open
    /// row.
    case needsExclusive(OpenRow?)
}

/// The outcome of opening a row with exclusive access.
enum RowOpening {
    case open(OpenRow)
    /// The row does not match, or the caller may not see it.
    case skipped
    /// The row was changed after it was sealed, or no key opens it now.
    case damaged
}

// The first step: reading.
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

    /// Reads a row like `read`, and leaves errors to the caller with exclusive access.
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

// The second step: opening.
extension ItemVault {
    /// Opens a row, and unwraps the key that it needs; returns `known` if the row is already open.
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

    /// Returns the finding for a damaged row.
    static func damaged(_ itemClass: ItemClass, _ verb: Finding.Verb) -> Finding {
        Finding(.damagedRow, verb: verb, item: itemClass.rawValue, status: .itemNotFound)
    }
}

// Which rows match.
extension ItemVault {
    /// Whether an item matches the selection and is visible to the caller.
    private func isMeant(
        _ item: PlainItem,
        by selection: Selection,
        in scope: GroupScope
    ) -> Bool {
        isVisible(item, to: scope) && selection.admits(item)
    }

    /// Whether the caller may see the group that is sealed with the item, not the one in its
    /// column.
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
    /// Whether a filter reads certificates, beyond the attributes of the item itself.
    var looksAtCertificates: Bool { selection.filters.contains(where: \.looksAtCertificates) }
}

extension MatchFilter {
    /// Whether the filter reads certificates, beyond the attributes of the item itself.
    fileprivate var looksAtCertificates: Bool {
        if case .hostOrSubdomain = self { false } else { true }
    }
}
