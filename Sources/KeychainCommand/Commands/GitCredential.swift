import KeychainModel
import Secrets
import WebCredentials

/// `git-credential`, also as `git-credential-keychain`: the helper that git asks for passwords.
///
/// - Source: gitcredentials(7), CUSTOM HELPERS; git-credential(1).
enum GitCredential {
    // ★ Table: the operations; what is not here is ignored in silence, as helpers have to.
    private static let operations:
        [String: @Sendable (CommandContext) throws(CommandFailure) -> Void] =
            [
                "get": { context throws(CommandFailure) in try get(context) },
                "store": { context throws(CommandFailure) in try store(context) },
                "erase": { context throws(CommandFailure) in try erase(context) },
                "capability": { context throws(CommandFailure) in
                    try context.print(line: "version 0")
                    try context.print(line: "capability \(schemes)")
                },
            ]

    /// The capability to give and take other things than passwords.
    private static let schemes = "authtype"

    /// Carries an operation out on the description at standard input.
    @Sendable static func run(
        _ arguments: Arguments,
        _ context: CommandContext
    ) throws(CommandFailure) {
        try operations[arguments.operands[0]]?(context)
    }

    private static func description(
        _ context: CommandContext
    ) throws(CommandFailure) -> CredentialDescription {
        try CommandFailure.wrapping(
            try CredentialDescription(try DescriptionInput.read(context.terminal))
        )
    }
}

// The operations.
extension GitCredential {
    /// Answers with the best match that git can use; with nothing if there is none.
    ///
    /// A match out of reach gives way to the next one, unless the person canceled.
    private static func get(_ context: CommandContext) throws(CommandFailure) {
        let wanted = try description(context)
        guard let request = WebRequest(wanted) else { return }
        let credentials = WebCredentialStore(context.credentialKeychain)
        var reach = OutOfReach()
        for item in try CommandFailure.wrapping(credentials.matches(request))
        where canUse(item, wanted) {
            do throws(CommandFailure) {
                let secret = try CommandFailure.wrapping(credentials.secret(of: item))
                try answer(item, secret, to: request, context)
                return try reach.tell(context)
            } catch .keychain(let error) where error.isOutOfReach && error.status != .userCanceled {
                reach.add(item.outOfReach(error))
            }
        }
        try reach.finish(context, "git gets no credential")
    }

    private static func canUse(_ item: WebCredential, _ wanted: CredentialDescription) -> Bool {
        item.notes.authenticationScheme == nil || wanted.capabilities.contains(schemes)
    }

    /// Writes one credential, if each part of it fits a line: git would believe the rest.
    ///
    /// The user's name is written also where it is empty, so that git asks for none; but not for a
    /// scheme that has no user.
    private static func answer(
        _ found: WebCredential,
        _ secret: SharedSecret,
        to request: WebRequest,
        _ context: CommandContext
    ) throws(CommandFailure) {
        let place = request.at(found)
        let tokens = RefreshTokens(context.credentialKeychain)
        let token = try CommandFailure.wrapping(
            tokens.token(for: place, account: found.accountName)
        )
        let scheme = found.notes.authenticationScheme
        guard secret.secret.isOneLine(), token?.secret.isOneLine() ?? true,
            found.accountName.bytes.isOneLine, scheme?.isOneLine ?? true
        else {
            return try context.note(
                "the credential for \(request.url) contains a line break; git gets nothing of it"
            )
        }
        var page = Page()
        if let scheme {
            page.append(line: "capability[]=\(schemes)")
            page.append(line: "authtype=\(scheme)")
            page.append("credential", secret)
        } else {
            page.append("password", secret)
        }
        if scheme == nil || !found.accountName.isEmpty {
            page.append(raw: "username=")
            page.append(Secret(copying: found.accountName.bytes))
            page.append(raw: "\n")
        }
        if let expiry = found.notes.expiry { page.append(line: "password_expiry_utc=\(expiry)") }
        if let token { page.append("oauth_refresh_token", token) }
        try context.print(page)
    }

    /// Keeps what has worked; what is not a whole credential is ignored.
    private static func store(_ context: CommandContext) throws(CommandFailure) {
        let given = try description(context)
        guard let request = WebRequest(given), !given.isEphemeral else { return }
        let scheme = given.credential == nil ? nil : given.authenticationScheme
        let password = given.username == nil ? nil : given.password
        guard let secret = scheme == nil ? password : given.credential else { return }
        do throws(KeychainError) {
            let keychain = context.credentialKeychain
            try WebCredentialStore(keychain).store(
                secret,
                for: request,
                authenticationType: AuthenticationScheme.letters(of: given.challenges),
                creator: WebCredential.gitCreator
            ) { notes in
                notes.expiry = given.expiry
                notes.authenticationScheme = scheme
            }
            try RefreshTokens(keychain).set(
                given.refreshToken,
                for: request,
                account: request.username ?? ""
            )
        } catch { throw .keychain(error) }
    }

    /// Deletes what git stored or was given, if it matches all that is given.
    private static func erase(_ context: CommandContext) throws(CommandFailure) {
        let given = try description(context)
        guard let request = WebRequest(given) else { return }
        let credentials = WebCredentialStore(context.credentialKeychain)
        var reach = OutOfReach()
        for item in rejectable(try CommandFailure.wrapping(credentials.matches(request)), given) {
            do throws(CommandFailure) {
                guard try isRejected(item, given, credentials) else { continue }
            } catch .keychain(let error) where error.isOutOfReach {
                reach.add(item.outOfReach(error))
                continue
            }
            try CommandFailure.wrapping(credentials.erase(item))
            let place = request.at(item)
            let tokens = RefreshTokens(context.credentialKeychain)
            try CommandFailure.wrapping(tokens.erase(for: place, account: item.accountName))
        }
        try reach.finish(context, "every other match was erased")
    }

    /// The matches that git may reject: other tools keep passwords of the same host, too.
    ///
    /// These are the items that git stored. Where it rejects a password, or has stored none, it is
    /// also the item that `get` answers with.
    private static func rejectable(
        _ matches: [WebCredential],
        _ given: CredentialDescription
    ) -> [WebCredential] {
        let own = matches.filter(\.isGits)
        guard own.isEmpty || given.password != nil || given.credential != nil,
            let answer = matches.first(where: { canUse($0, given) }), !answer.isGits
        else { return own }
        return own + [answer]
    }

    /// Whether the secret is the one that was rejected; any is, where none was given.
    private static func isRejected(
        _ item: WebCredential,
        _ given: CredentialDescription,
        _ credentials: WebCredentialStore
    ) throws(CommandFailure) -> Bool {
        guard let rejected = given.password ?? given.credential else { return true }
        let secret = try CommandFailure.wrapping(credentials.secret(of: item))
        return secret.secret.constantTimeEquals(rejected.secret)
    }
}

/// The names that internet passwords have for the schemes of HTTP.
enum AuthenticationScheme {
    private static let table = ["basic": "http", "digest": "httd", "ntlm": "ntlm"]

    /// The four letters of what a server offers; nil unless it is exactly one known scheme.
    static func letters(of challenges: [String]) -> String? {
        let schemes = challenges.map { challenge in
            challenge.prefix { $0 != " " }.lowercased()
        }
        return Set(schemes).count == 1 ? schemes.first.flatMap { table[$0] } : nil
    }
}

extension Page {
    fileprivate mutating func append(_ key: String, _ value: SharedSecret) {
        append(raw: key + "=")
        append(value.secret.duplicate())
        append(raw: "\n")
    }
}
