import KeychainModel
import PlaintextStores
import Secrets

/// `docker-credential`, also as `docker-credential-keychain`: the helper that docker asks.
///
/// An item's comment keeps the registry as docker spells it; `list` names the items that have one.
/// - Source: docker-login(1), "Credential helper protocol".
enum DockerCredential {
    static let operations = ["get", "store", "erase", "list"]

    /// What docker looks for on standard output to tell a missing password from a failure.
    private static let notFound = "credentials not found in native keychain"

    /// Carries an operation out on what stands at standard input.
    @Sendable static func run(
        _ arguments: Arguments,
        _ context: CommandContext
    ) throws(CommandFailure) {
        let credentials = WebCredentials(context)
        switch arguments.operands[0] {
        case "get": try get(credentials, context)
        case "store": try store(credentials, context)
        case "erase":
            for item in try matches(try registry(context), credentials) {
                try credentials.erase(item)
            }
        default: try list(credentials, context)
        }
    }

    private static func get(
        _ credentials: WebCredentials,
        _ context: CommandContext
    ) throws(CommandFailure) {
        let registry = try registry(context)
        guard let found = try matches(registry, credentials).first else {
            try context.print(line: notFound)
            throw .keychain(KeychainError(.itemNotFound, "nothing is stored for \(registry)"))
        }
        let secret = try credentials.secret(of: found)
        guard secret.secret.withUnsafeBytes(ByteRule.isText) else {
            throw .keychain(KeychainError(.decode, "the password of \(registry) is not text"))
        }
        let answer: [String: JSONValue] = [
            "ServerURL": .text(registry), "Username": .text(found.account),
            "Secret": .secret(secret),
        ]
        try context.print(JSONValue.object(answer).page)
    }

    /// Keeps one account for a registry, as docker does.
    private static func store(
        _ credentials: WebCredentials,
        _ context: CommandContext
    ) throws(CommandFailure) {
        let given = try credential(context)
        let request = try request(given.registry, username: given.username)
        let former = try matches(given.registry, credentials).filter {
            $0.notes.dockerServer != nil && $0.account != given.username
        }
        try credentials.store(given.secret, for: request) { $0.dockerServer = given.registry }
        for item in former { try credentials.erase(item) }
    }

    private static func list(
        _ credentials: WebCredentials,
        _ context: CommandContext
    ) throws(CommandFailure) {
        var users: [String: JSONValue] = [:]
        for item in try credentials.all() {
            guard let registry = item.notes.dockerServer else { continue }
            users[registry] = .text(item.account)
        }
        try context.print(JSONValue.object(users).page)
    }
}

// The registry and its items.
extension DockerCredential {
    /// Those that docker stored under this very spelling, then those of the same place.
    private static func matches(
        _ registry: String,
        _ credentials: WebCredentials
    ) throws(CommandFailure) -> [WebCredential] {
        let found = try credentials.matches(try request(registry, username: nil))
        let own = found.filter { $0.notes.dockerServer == registry }
        return own.isEmpty ? found : own
    }

    /// A registry without a scheme is reached by HTTPS.
    private static func request(
        _ registry: String,
        username: String?
    ) throws(CommandFailure) -> WebRequest {
        let url = LocatorURL(registry) ?? LocatorURL("https://" + registry)
        guard let url, !url.host.isEmpty,
            let letters = ProtocolName.letters(ofScheme: url.scheme)
        else { throw .keychain(KeychainError(.param, "the registry is no URL")) }
        return WebRequest(
            protocolName: letters,
            host: url.host,
            port: url.port,
            path: url.path,
            username: username
        )
    }

    private static func registry(_ context: CommandContext) throws(CommandFailure) -> String {
        let input = try self.input(context)
        let text = input.secret.withUnsafeBytes { String(validating: $0, as: UTF8.self) }
        let word = text?.split(whereSeparator: \.isWhitespace).first
        guard let word else { throw .keychain(KeychainError(.param, "no registry was given")) }
        return String(word)
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
        guard let registry = texts["ServerURL"] ?? nil, let username = texts["Username"] ?? nil,
            let secret = fields["Secret"], !registry.isEmpty
        else {
            let reason = "ServerURL, Username and Secret belong into the description"
            throw .keychain(KeychainError(.param, reason))
        }
        return (registry, username, secret)
    }

    private static func input(_ context: CommandContext) throws(CommandFailure) -> SharedSecret {
        do throws(KeychainError) {
            return SharedSecret(try InputFile.read(context.terminal))
        } catch {
            throw .keychain(error)
        }
    }
}
