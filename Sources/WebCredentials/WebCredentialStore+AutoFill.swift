import AutoFill
import KeychainMessages
import KeychainModel
import Secrets

extension WebCredentialStore {
    /// The items that may be filled into a page, and a reason for every other one.
    ///
    /// Nobody is asked: the secret is read only by ``secret(of:)``.
    package func offers(
        for page: PageAddress,
        account: String? = nil
    ) throws(KeychainError) -> AutoFillAnswer {
        let names = [page.host.ascii, page.host.unicode, page.host.registrableDomain]
        return try offers(naming: names.compactMap { $0 }) { candidates in
            AutoFillMatcher.answer(for: page, among: candidates, account: account)
        }
    }

    /// The items that may be offered to an app, for one of its domains or for all.
    package func offers(
        to app: AppAssociation,
        for domain: String? = nil
    ) throws(KeychainError) -> AutoFillAnswer {
        let domains = (try? app.approved(for: domain)) ?? []
        return try offers(naming: domains.map(\.host.ascii)) { candidates in
            app.answer(for: domain, among: candidates)
        }
    }

    /// The secret of an item that was offered; a person may have to be asked.
    package func secret(of match: AutoFillMatch) throws(KeychainError) -> SharedSecret {
        try secret(named: match.candidate.reference)
    }

    /// Where nothing fits, generic passwords with the site's name say why nothing does.
    private func offers(
        naming services: [String],
        _ decide: ([AutoFillCandidate]) -> AutoFillAnswer
    ) throws(KeychainError) -> AutoFillAnswer {
        let found = try listing()
        var answer = decide(found.credentials.map(\.candidate))
        guard answer.matches.isEmpty else { return answer }
        answer.hidesItems = found.closed.contains { $0.obstacle == .lockState }
        for service in Set(services).sorted() {
            for account in try genericAccounts(of: service) {
                var candidate = AutoFillCandidate(server: service, account: account)
                candidate.isInternetPassword = false
                let denial = AutoFillDenial(candidate: candidate, reason: .notInternetPassword)
                answer.denials.append(denial)
            }
        }
        return answer
    }
}

extension WebCredential {
    /// The item as AutoFill looks at it.
    var candidate: AutoFillCandidate {
        var candidate = AutoFillCandidate(
            server: server,
            protocolName: protocolName,
            account: account
        )
        if case .number(let number)? = attributes[.port] {
            candidate.port = UInt16(exactly: number)
        }
        candidate.path = path.text
        candidate.authenticationType = notes.authenticationScheme ?? text(.authenticationType)
        candidate.isNegative = attributes[.isNegative] == .number(1)
        candidate.isReachable = !isLocked
        candidate.modified = modified
        candidate.reference = reference
        return candidate
    }
}
