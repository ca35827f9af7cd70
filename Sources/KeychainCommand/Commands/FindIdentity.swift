import Cryptography
import Glibc
import KeyRepresentation
import KeychainModel

/// `find-identity`.
enum FindIdentity {
    private struct Entry {
        let certificate: FoundCertificate
        let hash: String
        let failure: TrustFailure?
    }

    /// Lists the identities that a policy admits, then those that are also trusted under it.
    @Sendable static func run(
        _ arguments: Arguments,
        _ context: CommandContext
    ) throws(CommandFailure) {
        let policy = try policy(arguments[.policy] ?? "basic")
        var reach = OutOfReach()
        let entries = try entries(policy, arguments, context, &reach)
        let valid = entries.filter { $0.failure == nil }
        guard !arguments.has(.json) else {
            let shown = arguments.has(.validOnly) ? valid : entries
            var objects: [JSONValue] = []
            for entry in shown { objects.append(.object(try json(entry))) }
            try context.print(JSONValue.list(objects + reach.items.map(\.json)).page)
            return try reach.finish(context)
        }
        var page = Page()
        if !arguments.has(.validOnly) {
            page.append(raw: "\n")
            page.append(line: "Policy: \(policy.name)")
            page.append(line: "  Matching identities")
            append(entries, "identities found", to: &page)
            page.append(raw: "\n")
            page.append(line: "  Valid identities only")
        }
        append(valid, "valid identities found", to: &page)
        try context.print(page)
        try reach.finish(context)
    }

    private static func policy(_ word: String) throws(CommandFailure) -> IdentityPolicy {
        if let policy = IdentityPolicy.table.first(where: { $0.word == word }) { return policy }
        guard !IdentityPolicy.unavailable.contains(word) else {
            let reason = "the policy \(word) is not available on Linux"
            throw .keychain(KeychainError(.unimplemented, reason))
        }
        let words = IdentityPolicy.table.map(\.word).joined(separator: ", ")
        throw .usage("invalid value for -p: give one of \(words)")
    }

    private static func entries(
        _ policy: IdentityPolicy,
        _ arguments: Arguments,
        _ context: CommandContext,
        _ reach: inout OutOfReach
    ) throws(CommandFailure) -> [Entry] {
        let certificates = try context.certificates(&reach)
        let nobody = ([:] as AttributeDictionary).askingNobody
        let identities = try context.identities(where: nobody, returning: [], &reach)
        let others = certificates.compactMap(\.certificate)
        var entries: [Entry] = []
        for identity in identities {
            let named = FoundCertificate.identity(of: identity.attributes)
            guard let found = certificates.first(where: { $0.identity == named }),
                let certificate = found.certificate
            else { continue }
            let failure = try failure(certificate, among: others, policy, arguments[.policyText])
            if failure?.reason == .wrongPurpose { continue }
            entries.append(
                Entry(certificate: found, hash: try found.hashes().sha1, failure: failure)
            )
        }
        return entries
    }

    private static func failure(
        _ certificate: Certificate,
        among others: [Certificate],
        _ policy: IdentityPolicy,
        _ text: String?
    ) throws(CommandFailure) -> TrustFailure? {
        let secondsBefore2001: Int64 = 978_307_200
        let question = TrustEvaluation(
            leaf: certificate,
            intermediates: others.filter { $0 != certificate },
            includesSystemAnchors: true,
            purpose: policy.purpose,
            hostName: policy.purpose == .tlsServer ? text : nil,
            date: Int64(time(nil)) - secondsBefore2001
        )
        return try CommandFailure.wrapping(try fromCryptography(try question.evaluate())).failure
    }

    /// Appends numbers, hashes and labels in macOS's columns.
    private static func append(_ entries: [Entry], _ ending: String, to page: inout Page) {
        for (index, entry) in entries.enumerated() {
            let number = String(index + 1)
            let blanks = String(repeating: " ", count: max(0, 3 - number.count))
            let error = entry.failure.map { " (\($0.listingName))" } ?? ""
            page.append(
                line: "\(blanks)\(number)) \(entry.hash) \"\(entry.certificate.name)\"\(error)"
            )
        }
        page.append(line: "     \(entries.count) \(ending)")
    }

    private static func json(_ entry: Entry) throws(CommandFailure) -> [String: JSONValue] {
        var members = try entry.certificate.json()
        members["class"] = .text(ItemClass.identity.rawValue)
        members["valid"] = .flag(entry.failure == nil)
        if let failure = entry.failure {
            members["error"] = SecurityStatus.name(of: failure.status).map(JSONValue.text)
            members["reason"] = .text(failure.sentence)
        }
        return members
    }
}
