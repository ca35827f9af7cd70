import KeychainModel
import Secrets
import WebCredentials

/// `git-credential`, also as `git-credential-keychain`: the credential helper for git.
///
/// - Source: gitcredentials(7), CUSTOM HELPERS; git-credential(1).
enum GitCredential {
    // ★ Table: the operations. Others are ignored silently, as git requires of helpers.
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

    /// The capability that lets git exchange credentials other than passwords.
    private static let schemes = "authtype"

    /// Carries an operation out on the description from standard input.
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
    /// Writes the best match that git can use; writes nothing if there is none.
    ///
    /// If a match does not open, the next one follows, unless the user canceled.
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

    /// Writes one credential if each part fits on one line; git would believe further lines.
    ///
    /// Also writes an empty user name, so that git prompts for none. A scheme without users gets no
    /// name at all.
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

    /// Stores a credential that worked; ignores an incomplete one.
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

    /// Deletes a credential that git stored or got, if it matches the whole description.
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

    /// Returns the matches that git may delete; other tools store passwords of the same host, too.
    ///
    /// These are the items that git stored. If git rejects a password, or has stored none, the item
    /// that `get` returns is among them.
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

    /// Whether git rejected this item's secret; any secret counts if git names none.
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

/// The attribute values of internet passwords for the authentication schemes of HTTP.
enum AuthenticationScheme {
    private static let table = ["basic": "http", "digest": "httd", "ntlm": "ntlm"]

    /// Returns the four letters of the offered scheme; nil unless exactly one known scheme is
    /// offered.
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
