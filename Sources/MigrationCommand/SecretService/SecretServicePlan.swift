import Foundation
import KeychainCommand
import KeychainMigration
import PlaintextStores

/// What is to become of the passwords of another secret store, reached by `secret-tool`.
struct SecretServicePlan {
    /// The schemas of items that are passwords of servers, and the attributes that say so.
    private static let schemas = [
        "org.gnome.keyring.NetworkPassword", "org.git.Password", "org.freedesktop.Secret.Generic",
    ]

    private let surroundings: MigrateCommand.Surroundings
    private let arguments: Arguments

    init(_ surroundings: MigrateCommand.Surroundings, _ arguments: Arguments) {
        self.surroundings = surroundings
        self.arguments = arguments
    }

    /// Every password of the known schemas.
    var secrets: [PlannedSecret] {
        let source = SecretServiceSource(tool: surroundings.secretTool)
        do throws(SourceFailure) {
            var secrets: [PlannedSecret] = []
            for schema in Self.schemas {
                for item in try source.items(of: schema) { secrets.append(secret(item, source)) }
            }
            return secrets
        } catch {
            return [.failure(error, of: source.name)]
        }
    }

    private func secret(
        _ item: SecretServiceItem,
        _ source: SecretServiceSource
    ) -> PlannedSecret {
        let target = SecretTarget(
            item.place,
            service: arguments[.service] ?? "secret-service",
            title: item.label
        )
        return PlannedSecret(
            from: source.name,
            what: item.place.name,
            to: target.words,
            decision: surroundings.moving(item.key, from: source, to: target)
        )
    }
}

/// An item as `secret-tool search` tells it, without its secret.
struct SecretServiceItem: Equatable {
    let label: String
    /// By name, the schema included.
    let attributes: [String: String]

    /// All attributes, in order: what names the item.
    var key: String {
        attributes.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }.joined(
            separator: "\n"
        )
    }

    /// The words that `secret-tool` takes for the same item.
    var words: [String] {
        attributes.sorted { $0.key < $1.key }.flatMap { [$0.key, $0.value] }
    }

    /// A server where the attributes name one, else a service named by the label.
    var place: PlaintextPlace {
        let account = attributes["user"] ?? attributes["username"] ?? attributes["account"] ?? ""
        let server = attributes["server"] ?? attributes["host"]
        guard let server, let (host, port) = HostPort.split(server), !host.isEmpty else {
            let service = attributes["service"] ?? (label.isEmpty ? nil : label)
            return .service(service, account: account)
        }
        let path = attributes["object"] ?? attributes["path"] ?? ""
        return .server(
            ServerPlace(
                server: host,
                protocolName: attributes["protocol"].flatMap(ProtocolName.letters(ofScheme:)),
                port: attributes["port"].flatMap(UInt16.init) ?? port,
                path: path.isEmpty || path.hasPrefix("/") ? path : "/" + path,
                account: account,
                securityDomain: attributes["domain"]
            )
        )
    }
}
