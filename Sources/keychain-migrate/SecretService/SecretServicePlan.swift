import KeychainCommand
import KeychainMigration
import KeychainModel
import PlaintextFormats
import SecretServiceClient
import SecretServiceNames

/// The plan for the passwords of the desktop's Secret Service.
struct SecretServicePlan {
    /// The schemas of users' passwords; items of other schemas stay with their programs.
    private static let schemas: Set<String> = [
        "org.gnome.keyring.NetworkPassword", "org.git.Password",
    ]

    private static let toolInstructions = """
        programs that use the Secret Service itself no longer find these items, unless they are \
        moved with --keep-attributes; keychainctl migrate --undo --from secret-service writes \
        them back
        """

    private static let serviceInstructions = """
        programs find these items once keychain-secret-service answers on the bus; \
        keychainctl doors says how to start it
        """

    private let dependencies: MigrateCommand.Dependencies
    private let arguments: Arguments

    init(_ dependencies: MigrateCommand.Dependencies, _ arguments: Arguments) {
        self.dependencies = dependencies
        self.arguments = arguments
    }

    /// The plan for every item; one failure if the service is unreachable.
    var secrets: [PlannedSecret] {
        do throws(SourceFailure) {
            let service = try dependencies.secretService()
            let listing = try service.listing()
            return try listing.lockedCollections.map(Self.locked)
                + plans(listing.items, of: service)
        } catch {
            return [.failure(error, of: SecretServiceSource.storeName)]
        }
    }

    private static func locked(_ label: String) -> PlannedSecret {
        let place = "\(SecretServiceSource.storeName): the collection \(label)"
        return .failure(SourceFailure(.locked, place), of: SecretServiceSource.storeName)
    }

    private func plans(
        _ items: [SecretServiceItem],
        of service: any SecretService
    ) throws(SourceFailure) -> [PlannedSecret] {
        let source = SecretServiceSource(service, items: items)
        let targets =
            keepsAttributes
            ? try KeptItem.targets(of: items, service, arguments)
            : items.map { target(of: $0) }
        let movable = zip(items, targets).filter { keepingReason($0.0) == nil }
        let rivals = Dictionary(grouping: movable) { $0.1.address.identifier }
        let ambiguous = rivals.filter { Self.differ($0.value.map(\.0), service) }
        return zip(items, targets).map { item, target in
            let isAmbiguous = ambiguous[target.address.identifier] != nil
            return secret(item, target, source, isAmbiguous: isAmbiguous)
        }
    }

    /// Whether several items would become one although they hold different values.
    ///
    /// An unreadable value may differ.
    private static func differ(
        _ items: [SecretServiceItem],
        _ service: any SecretService
    ) -> Bool {
        guard items.count > 1 else { return false }
        let values = items.map { try? service.value(at: $0.path).secret }
        guard let first = values.first ?? nil else { return true }
        return !values.allSatisfy { $0?.matches(first) ?? false }
    }

    private var keepsAttributes: Bool { dependencies.lookups != nil }

    private func secret(
        _ item: SecretServiceItem,
        _ target: SecretTarget,
        _ source: SecretServiceSource,
        isAmbiguous: Bool
    ) -> PlannedSecret {
        let decision: PlannedSecret.Decision =
            if let reason = keepingReason(item) {
                .report(.kept(reason))
            } else if isAmbiguous {
                .report(.cannotMove("ambiguous: another item of the same name has another value"))
            } else if let problem = keep(item, at: target.address) {
                .report(.cannotMove(problem))
            } else {
                dependencies.moving(item.path, from: source, to: target)
            }
        let name = item.place.name
        return PlannedSecret(
            from: source.name,
            what: name.isEmpty ? item.label : name,
            to: target.words,
            toolInstructions: keepsAttributes
                ? Self.serviceInstructions : Self.toolInstructions,
            decision: decision
        )
    }

    /// Makes an item keep its attributes; returns the reason if it cannot, otherwise nil.
    private func keep(_ item: SecretServiceItem, at address: ItemAddress) -> String? {
        guard let lookups = dependencies.lookups else { return nil }
        do throws(KeychainError) {
            lookups.keep(try StoredNames.pairs(item.attributes), of: address)
            return nil
        } catch { return error.reason }
    }

    private func target(of item: SecretServiceItem) -> SecretTarget {
        SecretTarget(
            item.place,
            service: arguments[.service] ?? SecretServiceSource.storeName,
            title: item.label.isEmpty ? nil : item.label,
            isThisDeviceOnly: arguments.has(.thisDeviceOnly)
        )
    }

    private func keepingReason(_ item: SecretServiceItem) -> String? {
        guard !item.collection.hasSuffix("/collection/session") else {
            return "it ends with the session"
        }
        guard !keepsAttributes, let schema = item.schema, !Self.schemas.contains(schema) else {
            return nil
        }
        return arguments.has(.everything)
            ? nil : "a program reads its items of schema \(schema) there; --all moves them"
    }
}

extension SecretServiceItem {
    private static let accountNames = ["user", "username", "account"]
    private static let serverNames = ["server", "host"]

    private func first(of names: [String]) -> String? {
        names.lazy.compactMap { attributes[$0] }.first
    }

    /// The server in the attributes, or else a service, which may come from the label.
    var place: PlaintextPlace {
        let server = first(of: Self.serverNames)
        guard let server, let (host, port) = HostPort.split(server), !host.isEmpty else {
            let service = attributes["service"] ?? (label.isEmpty ? nil : label)
            return .service(service, account: first(of: Self.accountNames) ?? otherAttributes)
        }
        let path = first(of: ["object", "path"]) ?? ""
        return .server(
            ServerPlace(
                server: host,
                protocolName: attributes["protocol"].flatMap(ProtocolName.letters(ofScheme:)),
                port: attributes["port"].flatMap(UInt16.init) ?? port,
                path: path.isEmpty || path.hasPrefix("/") ? path : "/" + path,
                account: first(of: Self.accountNames) ?? "",
                securityDomain: attributes["domain"]
            )
        )
    }

    /// The attributes that distinguish items without an account, such as `profile=work`.
    private var otherAttributes: String {
        ownAttributes.filter { $0.key != "service" }
            .sorted { $0.key < $1.key }
            .map { "\($0.key)=\($0.value)" }
            .joined(separator: " ")
    }
}
