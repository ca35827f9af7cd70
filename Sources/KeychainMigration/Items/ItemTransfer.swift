import Foundation

/// An operation that moves items to another name, class, access group or keychain.
///
/// The keychain cannot update a primary key. The operation therefore creates a new item, verifies
/// it, and then deletes the old one. It keeps attributes, accessibility and constraints.
///
/// ```swift
/// let operation = ItemTransfer.renaming(service: "api", to: "com.example.api")
/// ```
/// - Source: Migration guide, Orphaned Items; Item classes guide, Migration.
public struct ItemTransfer: MigrationOperation {
    /// The origin and the destination of one item.
    ///
    /// ```swift
    /// let route = ItemTransfer.Route(from: oldAddress, to: KeychainItem(at: newAddress))
    /// ```
    public struct Route: Sendable {
        /// The address of the item now.
        public let origin: ItemAddress
        /// The new item; its properties replace those of the old item.
        public let destination: KeychainItem

        /// Creates a transfer along these routes, by default within one keychain.
        public init(from origin: ItemAddress, to destination: KeychainItem) {
            self.origin = origin
            self.destination = destination
        }
    }

    private enum Plan: Sendable {
        case routes([Route])
        case scope(ItemScope, route: @Sendable (KeychainItem) -> Route?)
    }

    private let plan: Plan
    private let origin: (any Keychain)?
    private let name: String
    /// The treatment of items with constraints in the scope; by default they remain.
    public var gated = GatedItems.leaveOut

    /// Creates a transfer of each item in a scope for which the closure returns a route.
    public init(
        _ routes: [Route],
        from origin: (any Keychain)? = nil,
        name: String = "keychain"
    ) {
        plan = .routes(routes)
        self.origin = origin
        self.name = name
    }

    /// Creates a transfer of each item in a scope for which the routes contain one.
    public init(
        _ scope: ItemScope,
        from origin: (any Keychain)? = nil,
        name: String = "keychain",
        route: @escaping @Sendable (KeychainItem) -> Route?
    ) {
        plan = .scope(scope, route: route)
        self.origin = origin
        self.name = name
    }

    /// Transfers each item separately; skips items that have arrived already.
    public func run(in context: MigrationContext) -> MigrationReport {
        let keychain = origin ?? context.keychain
        let routes: [Route]
        let hidden: [MigrationReport.Line]
        do throws(KeychainFailure) {
            routes = try self.routes(in: keychain)
            hidden = try self.hidden(in: keychain)
        } catch {
            let outcome: MoveOutcome =
                error.isLocked
                ? .deferred("the keychain is locked") : .failed(.keychain(error))
            let line = MigrationReport.Line(what: "items", from: name, to: name, outcome: outcome)
            return MigrationReport(isDryRun: context.isDryRun, lines: [line])
        }
        let source = KeychainItemSource(routes.map(\.origin), in: keychain, name: name)
        let moves = routes.map { route in
            Move(
                route.origin.identifier,
                from: source,
                to: route.destination,
                title: route.origin.description
            )
        }
        // There is no retention, because an item under its old name would be an orphan.
        let mover = Mover(keychain: context.keychain, journal: context.mover.journal)
        var report = mover.run(moves, now: context.now, isDryRun: context.isDryRun)
        report.lines += hidden
        // No plain text was involved.
        report.advice = []
        return report
    }

    private func routes(in keychain: any Keychain) throws(KeychainFailure) -> [Route] {
        switch plan {
        case .routes(let routes): return routes
        case .scope(let scope, let route):
            return try keychain.list(scope, gated: gated).compactMap(route)
        }
    }

    /// Returns lines for items that are not visible, so that the transfer counts as incomplete.
    private func hidden(in keychain: any Keychain) throws(KeychainFailure) -> [MigrationReport.Line]
    {
        guard case .scope(let scope, _) = plan, gated == .leaveOut,
            try keychain.hasGatedItems(scope)
        else { return [] }
        let line = MigrationReport.Line(
            what: "items that need the user",
            from: name,
            to: name,
            outcome: .cannotMove("the user was not prompted")
        )
        return [line]
    }
}

extension ItemTransfer {
    /// Returns an operation that renames the service of generic passwords.
    ///
    /// - Source: Migration guide, Trap 5.
    public static func renaming(service old: String, to new: String) -> ItemTransfer {
        let scope = ItemScope(kinds: [.genericPassword], services: [old])
        return ItemTransfer(scope) { item in
            var address = item.address
            address.attributes[.service] = .text(new)
            return Route(from: item.address, to: KeychainItem(at: address, accessibility: nil))
        }
    }

    /// Returns an operation that moves items from one access group to another.
    public static func moving(
        _ scope: ItemScope = .everything,
        fromGroup old: String,
        toGroup new: String
    ) -> ItemTransfer {
        var scope = scope
        scope.accessGroups = [old]
        return ItemTransfer(scope) { item in
            var address = item.address
            address.accessGroup = new
            return Route(from: item.address, to: KeychainItem(at: address, accessibility: nil))
        }
    }

    /// Returns an operation that turns the generic passwords of a service into internet passwords.
    ///
    /// Each account becomes an account of the server. The operation keeps all attributes that both
    /// classes have, and accessibility, group and synchronization.
    public static func reclassing(
        service: String,
        server: String,
        protocolName: String,
        port: Int? = nil,
        path: String? = nil
    ) -> ItemTransfer {
        let scope = ItemScope(kinds: [.genericPassword], services: [service])
        return ItemTransfer(scope) { item in
            guard let account = item.address.text(.account) else { return nil }
            let address = ItemAddress.internetPassword(
                server: server,
                account: account,
                protocolName: protocolName,
                port: port,
                path: path,
                accessGroup: item.address.accessGroup,
                isSynchronizable: item.address.isSynchronizable
            )
            return Route(from: item.address, to: KeychainItem(at: address, accessibility: nil))
        }
    }

    /// Returns an operation that moves items out of macOS's file-based keychain.
    ///
    /// It verifies each item and then removes it from there.
    /// - Source: Keychain overview, Mac Keychain Differences.
    public static func leaving(
        _ fileBased: any Keychain = ServicesKeychain(.fileBased),
        scope: ItemScope
    ) -> ItemTransfer {
        ItemTransfer(scope, from: fileBased, name: "file-based keychain") { item in
            var address = item.address
            address.accessGroup = nil
            let accessibility = item.accessibility ?? .standard
            return Route(
                from: item.address,
                to: KeychainItem(at: address, accessibility: accessibility)
            )
        }
    }
}
