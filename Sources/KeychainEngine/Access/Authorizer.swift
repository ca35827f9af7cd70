import KeychainModel

/// The groups that a search may see.
package enum GroupScope: Sendable, Hashable {
    /// Exactly these groups.
    case groups([String])
    /// These groups, and those that start with a prefix; the empty prefix matches every group.
    case matching(groups: [String], prefixes: [String])
}

/// A query whose access groups were checked against the caller's.
///
/// Only this file can make one, so no operation can run unchecked.
package struct Authorized<Query: Sendable>: Sendable {
    package let query: Query
    /// For searches: the groups to search.
    package let scope: GroupScope
    /// All groups that the caller may see, even if the query names one.
    package let reach: GroupScope
    /// For adds and moves: the item's new group; nil if an update does not move it.
    package let destination: String?
    /// Whether the program may show a prompt.
    package let canPrompt: Bool

    fileprivate init(
        _ query: Query,
        scope: GroupScope,
        reach: GroupScope,
        destination: String?,
        canPrompt: Bool
    ) {
        self.canPrompt = canPrompt
        self.query = query
        self.scope = scope
        self.reach = reach
        self.destination = destination
    }

    /// Returns the prover for this request.
    func prover(_ terms: AuthenticationTerms, _ conversation: Conversation) -> Prover {
        Prover(terms: terms, canPrompt: canPrompt, conversation: conversation)
    }
}

/// The decision which groups a caller may read and write.
///
/// - Source: requirements GRP-01 to GRP-26.
package struct Authorizer: Sendable {
    private let caller: Caller
    private let system: SystemProfile

    /// - Throws: `errSecMissingEntitlement` for a program without any group (GRP-26).
    package init(_ caller: Caller, on system: SystemProfile) throws(KeychainError) {
        guard !caller.accessGroups.isEmpty || caller.mayNameAnyGroup else {
            throw KeychainError(.missingEntitlement, "the program has no access group")
        }
        self.caller = caller
        self.system = system
    }

    package func authorize(
        _ query: consuming AddQuery
    ) throws(KeychainError) -> Authorized<AddQuery> {
        let group = try destination(query.accessGroup)
        let scope = GroupScope.groups([group])
        return authorized(query, scope: scope, reach: scope, destination: group)
    }

    package func authorize(
        _ query: consuming SelectQuery
    ) throws(KeychainError) -> Authorized<SelectQuery> {
        let scope = try scope(of: query.selection, forWriting: false)
        let reach = fullScope(forWriting: false)
        return authorized(query, scope: scope, reach: reach, destination: nil)
    }

    package func authorize(
        _ query: consuming UpdateQuery
    ) throws(KeychainError) -> Authorized<UpdateQuery> {
        let scope = try scope(of: query.selection, forWriting: true)
        let moved = query.changes.accessGroup
        let destination = moved == nil ? nil : try destination(moved)
        let reach = fullScope(forWriting: true)
        return authorized(query, scope: scope, reach: reach, destination: destination)
    }

    package func authorize(
        _ query: consuming DeleteQuery
    ) throws(KeychainError) -> Authorized<DeleteQuery> {
        let scope = try scope(of: query.selection, forWriting: true)
        let reach = fullScope(forWriting: true)
        return authorized(query, scope: scope, reach: reach, destination: nil)
    }

    private func authorized<Query>(
        _ query: consuming Query,
        scope: GroupScope,
        reach: GroupScope,
        destination: String?
    ) -> Authorized<Query> {
        Authorized(
            query,
            scope: scope,
            reach: reach,
            destination: destination,
            canPrompt: caller.canPrompt
        )
    }

    private func destination(_ named: String?) throws(KeychainError) -> String {
        guard let named else {
            guard let group = caller.defaultGroup else {
                let reason = "the program has no access group to store the item in"
                throw KeychainError(.missingEntitlement, reason)
            }
            return group
        }
        try checkWritable(named)
        guard caller.mayUse(group: named) else { throw Self.foreign(named, .missingEntitlement) }
        return named
    }

    /// Returns the group of a file, if the caller may use it.
    ///
    /// - Throws: `errSecMissingEntitlement` for another program's group; `errSecParam` for a name
    ///   that is too long to be bound to a key.
    package func fileGroup(_ named: String?) throws(KeychainError) -> String {
        let group = try destination(named)
        guard group.utf8.count <= Self.fileGroupByteLimit else {
            let limit = "\(Self.fileGroupByteLimit) bytes"
            throw KeychainError(.param, "the access group of a file has at most \(limit)")
        }
        return group
    }

    private static let fileGroupByteLimit = 512

    private func scope(
        of selection: Selection,
        forWriting: Bool
    ) throws(KeychainError) -> GroupScope {
        guard let named = selection.accessGroup else { return fullScope(forWriting: forWriting) }
        if forWriting { try checkWritable(named) }
        guard caller.mayUse(group: named) else {
            let status: SecurityStatus =
                system.foreignGroupIsNotFound ? .itemNotFound : .missingEntitlement
            throw Self.foreign(named, status)
        }
        return .groups([named])
    }

    /// Returns all of the caller's groups, for a search that names none (GRP-13).
    private func fullScope(forWriting: Bool) -> GroupScope {
        let all = caller.plainGroups
        let groups = forWriting ? all.filter { $0 != Entitlements.tokenGroup } : all
        let prefixes = caller.wildcardPrefixes
        return prefixes.isEmpty ? .groups(groups) : .matching(groups: groups, prefixes: prefixes)
    }

    private func checkWritable(_ group: String) throws(KeychainError) {
        guard group != Entitlements.tokenGroup else {
            throw KeychainError(.missingEntitlement, "the group of tokens is read-only")
        }
    }

    private static func foreign(_ group: String, _ status: SecurityStatus) -> KeychainError {
        KeychainError(status, "the program is not entitled to the access group '\(group)'")
    }
}
