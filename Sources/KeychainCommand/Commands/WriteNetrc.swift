import KeychainModel
import Secrets

/// `netrc`.
enum WriteNetrc {
    /// The protocols of tools that read netrc files.
    private static let protocols: Set<String?> = [nil, "http", "htps", "ftp ", "ftps"]

    /// Writes a line for every account of one server, or of all.
    ///
    /// A netrc file knows hosts alone: what is for a port or path of its own is left out.
    /// - Source: netrc(5); curl, `--netrc-file`, for the quotation marks.
    @Sendable static func run(
        _ arguments: Arguments,
        _ context: CommandContext
    ) throws(CommandFailure) {
        let credentials = WebCredentials(context)
        let server = arguments.operands.first
        var page = Page()
        var count = 0
        for item in try credentials.all() where isWritable(item) {
            guard server == nil || item.server.lowercased() == server?.lowercased() else {
                continue
            }
            let secret = try credentials.secret(of: item)
            guard secret.secret.withUnsafeBytes({ !$0.contains(0) }) else { continue }
            page.append(line(item, secret))
            count += 1
        }
        guard count > 0 || server == nil else {
            let reason = "nothing is stored that a netrc file could say of that server"
            throw .keychain(KeychainError(.itemNotFound, reason))
        }
        try context.print(page)
    }

    private static func isWritable(_ item: WebCredential) -> Bool {
        protocols.contains(item.protocolName) && item.path.isEmpty && !item.server.isEmpty
            && item.port(for: item.protocolName ?? "htps") == nil
            && item.notes.authenticationScheme == nil
    }

    private static func line(_ item: WebCredential, _ secret: SharedSecret) -> Page {
        var page = Page()
        page.append(raw: "machine " + ByteRule.netrc.text(of: Array(item.server.utf8)))
        if !item.account.isEmpty {
            page.append(raw: " login " + ByteRule.netrc.text(of: Array(item.account.utf8)))
        }
        page.append(raw: " password ")
        page.append(ByteRule.netrc.secret(of: secret.secret))
        page.append(raw: "\n")
        return page
    }
}

extension ByteRule {
    /// A word of a netrc file: as it is, or in double quotes with backslashes.
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
