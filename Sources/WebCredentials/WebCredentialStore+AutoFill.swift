import AutoFill
import KeychainMessages
import KeychainModel
import Secrets

extension WebCredentialStore {
    /// Returns the items that AutoFill may fill into a page, and a reason for every other item.
    ///
    /// Does not prompt the user: only ``secret(of:)`` reads a secret.
    package func offers(
        for page: PageAddress,
        account: String? = nil
    ) throws(KeychainError) -> AutoFillAnswer {
        let names = [page.host.ascii, page.host.unicode, page.host.registrableDomain]
        return try offers(naming: names.compactMap { $0 }) { candidates in
            AutoFillMatcher.answer(for: page, among: candidates, account: account)
        }
    }

    /// Returns the items that AutoFill may offer to an app, for one of its domains or for all.
    package func offers(
        to app: AppAssociation,
        for domain: String? = nil
    ) throws(KeychainError) -> AutoFillAnswer {
        let domains = (try? app.approved(for: domain)) ?? []
        return try offers(naming: domains.map(\.host.ascii)) { candidates in
            app.answer(for: domain, among: candidates)
        }
    }

    /// Returns the secret of an offered item; may prompt the user.
    package func secret(of match: AutoFillMatch) throws(KeychainError) -> SharedSecret {
        try secret(named: match.candidate.reference)
    }

    /// Makes an offer.
    ///
    /// If nothing matches, generic passwords with the site's name explain why.
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
    /// The attributes that AutoFill examines.
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
