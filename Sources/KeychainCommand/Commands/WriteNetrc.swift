import KeychainModel
import Secrets
import WebCredentials

/// `netrc`.
enum WriteNetrc {
    /// The protocols of items that netrc files can express.
    private static let protocols: Set<String?> = [nil, "http", "htps", "ftp ", "ftps"]

    /// Writes a line for every account of one server, or of all servers.
    ///
    /// A netrc file knows only hosts, so items with a port or path are left out.
    /// - Source: netrc(5); curl, `--netrc-file`, for the quotation marks.
    @Sendable static func run(
        _ arguments: Arguments,
        _ context: CommandContext
    ) throws(CommandFailure) {
        let credentials = WebCredentialStore(context.credentialKeychain)
        let server = arguments.operands.first
        var reach = OutOfReach()
        var page = Page()
        var count = 0
        for item in try listed(credentials, server, &reach) where isWritable(item) {
            do throws(CommandFailure) {
                let secret = try CommandFailure.wrapping(credentials.secret(of: item))
                guard secret.secret.withUnsafeBytes({ !$0.contains(0) }) else { continue }
                page.append(line(item, secret))
                count += 1
            } catch .keychain(let error) where error.isOutOfReach {
                reach.add(item.outOfReach(error))
            }
        }
        guard count > 0 || server == nil || !reach.isEmpty else {
            let reason = "no stored password for this server fits into a netrc file"
            throw .keychain(KeychainError(.itemNotFound, reason))
        }
        try context.print(page)
        try reach.finish(context)
    }

    /// Returns the credentials of all servers, or of one in any letter case.
    ///
    /// The server of a closed item is unknown. Such an item counts for a server only if a search
    /// for that name finds it.
    private static func listed(
        _ credentials: WebCredentialStore,
        _ server: String?,
        _ reach: inout OutOfReach
    ) throws(CommandFailure) -> [WebCredential] {
        let listing = try CommandFailure.wrapping(credentials.listing())
        guard let server else {
            for item in listing.closed { reach.add(item) }
            return listing.credentials
        }
        if !listing.closed.isEmpty {
            for name in Set([server, server.lowercased()]).sorted() {
                let found = try CommandFailure.wrapping(credentials.listing(server: name))
                for item in found.closed { reach.add(item) }
            }
        }
        return listing.credentials.filter { $0.server.lowercased() == server.lowercased() }
    }

    private static func isWritable(_ item: WebCredential) -> Bool {
        protocols.contains(item.protocolName) && item.path.isEmpty && !item.server.isEmpty
            && item.port(for: item.protocolName ?? "htps") == nil
            && item.notes.authenticationScheme == nil
    }

    private static func line(_ item: WebCredential, _ secret: SharedSecret) -> Page {
        var page = Page()
        page.append(raw: "machine " + ByteRule.netrc.text(of: Array(item.server.utf8)))
        let account = item.accountName
        if !account.isEmpty {
            page.append(raw: " login ")
            page.append(ByteRule.netrc.secret(of: Secret(copying: account.bytes)))
        }
        page.append(raw: " password ")
        page.append(ByteRule.netrc.secret(of: secret.secret))
        page.append(raw: "\n")
        return page
    }
}

extension ByteRule {
    /// A word of a netrc file: unquoted if possible, otherwise in double quotes with backslashes.
    static let netrc = ByteRule { bytes, emit in
        let isPlain =
            !bytes.isEmpty && bytes.first != UInt8(ascii: "#")
            && bytes.allSatisfy {
                $0 > 0x20 && $0 != UInt8(ascii: "\"") && $0 != UInt8(ascii: "\\")
            }
        guard !isPlain else { return bytes.forEach(emit) }
        emit(UInt8(ascii: "\""))
        for byte in bytes {
            if let letter = netrcEscapes[byte] {
                emit(UInt8(ascii: "\\")); emit(letter)
            } else {
                emit(byte)
            }
        }
        emit(UInt8(ascii: "\""))
    }

    private static let netrcEscapes: [UInt8: UInt8] = [
        UInt8(ascii: "\n"): UInt8(ascii: "n"), UInt8(ascii: "\r"): UInt8(ascii: "r"),
        UInt8(ascii: "\t"): UInt8(ascii: "t"), UInt8(ascii: "\""): UInt8(ascii: "\""),
        UInt8(ascii: "\\"): UInt8(ascii: "\\"),
    ]
}
