import AutoFill
import KeychainModel
import Secrets
import WebCredentials

/// `autofill`.
enum FillForm {
    /// Writes the account that fits a page best, or its password, or all accounts that fit.
    @Sendable static func run(
        _ arguments: Arguments,
        _ context: CommandContext
    ) throws(CommandFailure) {
        guard !arguments.has(.onlyPassword) || !arguments.has(.list) else {
            throw .usage("choose an account for -w with -a, not with --list")
        }
        let page = try page(arguments.operands[0])
        let account = arguments[.account]
        let store = WebCredentialStore(context.credentialKeychain)
        let answer = try CommandFailure.wrapping(store.offers(for: page, account: account))
        let best = answer.matches.first
        var secret: SharedSecret?
        if let best, arguments.has(.onlyPassword) {
            secret = try CommandFailure.wrapping(store.secret(of: best))
        }
        if arguments.has(.json) { try context.print(json(answer, page, secret).page) }
        guard let best else { throw failure(answer.reason ?? .noItem, context) }
        guard !arguments.has(.json) else { return }
        if let secret {
            var line = Page()
            line.append(ByteRule.plain.secret(of: secret.secret))
            line.append(raw: "\n")
            try context.print(line)
        } else if arguments.has(.list) {
            return try context.print(TextTable.page(answer.matches.map(row)))
        } else {
            try context.print(line: plain(best.candidate.account))
        }
        try tellOthers(answer.matches.count - 1, context)
    }

    private static func page(_ text: String) throws(CommandFailure) -> PageAddress {
        do throws(AutoFillRefusal) {
            return try PageAddress(typed: text)
        } catch {
            throw .input(phrase(error))
        }
    }

    private static func failure(
        _ reason: AutoFillRefusal,
        _ context: CommandContext
    ) -> CommandFailure {
        guard reason == .locked else {
            return .keychain(KeychainError(.itemNotFound, phrase(reason)))
        }
        return .keychain(
            context.advised(KeychainError(.interactionNotAllowed, phrase(reason)))
        )
    }

    /// Returns a reason as a part of a line.
    private static func phrase(_ reason: AutoFillRefusal) -> String {
        let sentence = reason.sentence.dropLast()
        guard !sentence.hasPrefix("AutoFill") else { return plain(String(sentence)) }
        return plain(sentence.prefix(1).lowercased() + sentence.dropFirst())
    }

    private static func tellOthers(
        _ count: Int,
        _ context: CommandContext
    ) throws(CommandFailure) {
        guard count > 0 else { return }
        let others = count == 1 ? "another item fits" : "\(count) other items fit"
        try context.note("note: \(others) too; --list shows them, and -a chooses an account")
    }

    private static func row(_ match: AutoFillMatch) -> [String] {
        [plain(match.candidate.account), plain(match.candidate.server + match.path)]
    }

    /// Returns the text, escaped if a terminal would hide or act on a part of it.
    private static func plain(_ text: String) -> String {
        let isPlain = text.unicodeScalars.allSatisfy {
            !hidden.contains($0.properties.generalCategory)
        }
        return isPlain ? text : ByteRule.plain.text(of: Array(text.utf8))
    }

    private static let hidden: Set<Unicode.GeneralCategory> = [
        .control, .format, .lineSeparator, .paragraphSeparator, .privateUse, .surrogate,
        .unassigned,
    ]

    /// Returns the answer as JSON; the secret, if present, belongs to the first match.
    private static func json(
        _ answer: AutoFillAnswer,
        _ page: PageAddress,
        _ secret: SharedSecret?
    ) -> JSONValue {
        .object([
            "origin": .text(page.origin),
            "matches": .list(
                answer.matches.enumerated().map { index, match in
                    var members = members(match.candidate)
                    members["fits"] = .text(match.closeness == .exactHost ? "host" : "domain")
                    if index == 0, let secret { members["password"] = .secret(secret) }
                    return .object(members)
                }
            ),
            "refusals": .list(
                answer.denials.map { denial in
                    var members = members(denial.candidate)
                    members["reason"] = .text(denial.reason.code)
                    members["sentence"] = .text(denial.reason.sentence)
                    return .object(members)
                }
            ),
            "reason": answer.reason.map { .text($0.code) } ?? .null,
        ])
    }

    private static func members(_ item: AutoFillCandidate) -> [String: JSONValue] {
        [
            "account": .text(item.account), "server": .text(item.server),
            "path": .text(item.path),
        ]
    }
}

extension AutoFillMatch {
    /// The path with a leading slash; empty if there is none.
    fileprivate var path: String { candidate.path.isEmpty ? "" : "/" + candidate.path }
}
