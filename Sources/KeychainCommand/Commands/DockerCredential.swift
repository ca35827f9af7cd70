import JSON
import KeychainModel
import PlaintextFormats
import Secrets
import WebCredentials

/// `docker-credential`, also as `docker-credential-keychain`: the credential helper for docker.
///
/// An item's comment stores the registry in docker's spelling. `list` shows the items that have
/// such a comment.
/// - Source: docker-login(1), "Credential helper protocol".
enum DockerCredential {
    // ★ Table: the operations.
    private static let operations:
        [String: @Sendable (CommandContext) throws(CommandFailure) -> Void] = [
            "get": { context throws(CommandFailure) in try get(credentials(context), context) },
            "store": { context throws(CommandFailure) in try store(credentials(context), context) },
            "erase": { context throws(CommandFailure) in try erase(credentials(context), context) },
            "list": { context throws(CommandFailure) in try list(credentials(context), context) },
            "version": { context throws(CommandFailure) in try version(context) },
        ]

    private static func credentials(_ context: CommandContext) -> WebCredentialStore {
        WebCredentialStore(context.credentialKeychain)
    }

    /// The operations, with bars between them.
    static let synopsis = "get|store|erase|list|version"

    /// Carries an operation out on the text from standard input.
    ///
    /// Docker reads a failure from standard output, and expects exit status 1.
    @Sendable static func run(
        _ arguments: Arguments,
        _ context: CommandContext
    ) throws(CommandFailure) {
        do throws(CommandFailure) {
            try perform(arguments, context)
        } catch {
            let words = DockerRefusal(error)?.rawValue ?? error.message
            try context.print(line: words)
            throw .unmet(error.message)
        }
    }

    private static func perform(
        _ arguments: Arguments,
        _ context: CommandContext
    ) throws(CommandFailure) {
        if arguments.has(.version) { return try version(context) }
        guard arguments.operands.count == 1, let operation = operations[arguments.operands[0]]
        else { throw .input("docker-credential takes one operation: \(synopsis)") }
        try operation(context)
    }

    private static func version(_ context: CommandContext) throws(CommandFailure) {
        try context.print(line: "docker-credential-keychain (swift-keychain) \(Version.text)")
    }

    /// Deletes the passwords that docker stored for a registry; those of other tools stay.
    private static func erase(
        _ credentials: WebCredentialStore,
        _ context: CommandContext
    ) throws(CommandFailure) {
        for item in try matches(try registry(context), credentials)
        where item.notes.dockerServer != nil {
            try CommandFailure.wrapping(credentials.erase(item))
        }
    }

    private static func get(
        _ credentials: WebCredentialStore,
        _ context: CommandContext
    ) throws(CommandFailure) {
        let registry = try registry(context)
        guard let found = try matches(registry, credentials).first else {
            throw .keychain(KeychainError(.itemNotFound, "nothing is stored for \(registry)"))
        }
        let secret = try CommandFailure.wrapping(credentials.secret(of: found))
        guard secret.secret.withUnsafeBytes(ByteRule.isText) else {
            throw .keychain(KeychainError(.decode, "the password of \(registry) is not text"))
        }
        let answer: [String: JSONValue] = [
            "ServerURL": .text(registry), "Username": .text(found.account),
            "Secret": .secret(secret),
        ]
        try context.print(JSONValue.object(answer).page)
    }

    /// Stores one account for a registry, as docker does.
    private static func store(
        _ credentials: WebCredentialStore,
        _ context: CommandContext
    ) throws(CommandFailure) {
        let given = try credential(context)
        let request = try request(given.registry, username: given.username)
        let former = try matches(given.registry, credentials).filter {
            $0.notes.dockerServer != nil && $0.account != given.username
        }
        do throws(KeychainError) {
            try credentials.store(given.secret, for: request) { $0.dockerServer = given.registry }
            for item in former { try credentials.erase(item) }
        } catch { throw .keychain(error) }
    }

    /// Lists the accounts.
    ///
    /// Lists none if an item does not open, because docker would take a partial list for a complete
    /// one.
    private static func list(
        _ credentials: WebCredentialStore,
        _ context: CommandContext
    ) throws(CommandFailure) {
        var users: [String: JSONValue] = [:]
        let listing = try CommandFailure.wrapping(credentials.listing())
        var reach = OutOfReach()
        for item in listing.closed { reach.add(item) }
        try reach.finish(context, "the list would lack them")
        for item in listing.credentials {
            guard let registry = item.notes.dockerServer else { continue }
            users[registry] = .text(item.account)
        }
        try context.print(JSONValue.object(users).page)
    }
}

// The registry and its items.
extension DockerCredential {
    /// Returns the items that docker stored in exactly this spelling, then others of the same
    /// place.
    private static func matches(
        _ registry: String,
        _ credentials: WebCredentialStore
    ) throws(CommandFailure) -> [WebCredential] {
        let request = try request(registry, username: nil)
        let found = try CommandFailure.wrapping(credentials.matches(request))
        let own = found.filter { $0.notes.dockerServer == registry }
        return own.isEmpty ? found : own
    }

    /// Parses a registry's address; HTTPS is the default scheme.
    private static func request(
        _ registry: String,
        username: String?
    ) throws(CommandFailure) -> WebRequest {
        let url = LocatorURL(registry) ?? LocatorURL("https://" + registry)
        guard let url, !url.host.isEmpty else {
            throw .keychain(KeychainError(.param, "the registry is not a URL"))
        }
        return WebRequest(
            protocolName: ProtocolName.name(ofScheme: url.scheme),
            host: url.host,
            port: url.port,
            path: ItemName(url.path),
            username: username.map { ItemName($0) }
        )
    }

    private static func registry(_ context: CommandContext) throws(CommandFailure) -> String {
        let input = try self.input(context)
        let text = input.secret.withUnsafeBytes { String(validating: $0, as: UTF8.self) }
        var registry = (text ?? "")[...].drop(while: \.isWhitespace)
        while registry.last?.isWhitespace ?? false { registry.removeLast() }
        guard !registry.isEmpty else { throw DockerRefusal.noServer.failure }
        return String(registry)
    }

    private static func credential(
        _ context: CommandContext
    ) throws(CommandFailure) -> (registry: String, username: String, secret: SharedSecret) {
        let input = try self.input(context)
        let fields: [String: SharedSecret]
        do throws(PlaintextError) {
            fields = try JSONText.read(input.secret) { json in json.strings() }
        } catch {
            throw .keychain(KeychainError(.decode, error.description))
        }
        let texts = fields.mapValues { value in
            value.secret.withUnsafeBytes { String(validating: $0, as: UTF8.self) }
        }
        guard let registry = texts["ServerURL"] ?? nil, !registry.isEmpty else {
            throw DockerRefusal.noServer.failure
        }
        guard let username = texts["Username"] ?? nil, !username.isEmpty else {
            throw DockerRefusal.noUser.failure
        }
        guard let secret = fields["Secret"] else {
            throw .keychain(KeychainError(.param, "the description has no Secret"))
        }
        guard secret.secret.byteCount > 0 else {
            throw .keychain(KeychainError(.param, "the Secret is empty; nothing was stored"))
        }
        return (registry, username, secret)
    }

    private static func input(_ context: CommandContext) throws(CommandFailure) -> SharedSecret {
        SharedSecret(try CommandFailure.wrapping(try InputFile.read(context.terminal)))
    }
}

/// ★ Table: the failures that docker's client recognizes by their text.
///
/// - Source: github.com/docker/docker-credential-helpers, `credentials/error.go`.
private enum DockerRefusal: String {
    case notFound = "credentials not found in native keychain"
    case noServer = "no credentials server URL"
    case noUser = "no credentials username"

    /// Finds docker's text for a failure; nil if docker has none.
    init?(_ failure: CommandFailure) {
        switch failure {
        case .input(let reason): self.init(rawValue: reason)
        case .keychain(let error) where error.status == .itemNotFound: self = .notFound
        default: return nil
        }
    }

    var failure: CommandFailure { .input(rawValue) }
}
