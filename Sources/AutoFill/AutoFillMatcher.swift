/// A matcher that decides which items AutoFill may fill into a page.
///
/// Its rules are those of browsers' password managers. The item's scheme and port must be those of
/// the page. Its host must be the page's, or another one of the same registered domain. The path
/// only affects the order.
///
/// ```swift
/// let answer = AutoFillMatcher.answer(for: try PageAddress(url), among: candidates)
/// ```
package enum AutoFillMatcher {
    /// Returns the items for a page, the best first, and a reason for every other item.
    ///
    /// If an account is given, only its items match.
    package static func answer(
        for page: PageAddress,
        among candidates: [AutoFillCandidate],
        account: String? = nil
    ) -> AutoFillAnswer {
        let isMixed = LookAlike.mixesScripts(page.host)
        var answer = AutoFillAnswer()
        for candidate in candidates {
            do throws(AutoFillRefusal) {
                let closeness = try closeness(of: candidate, to: page, isMixed)
                try check(candidate, page.service, account)
                answer.matches.append(AutoFillMatch(candidate: candidate, closeness: closeness))
            } catch {
                answer.denials.append(AutoFillDenial(candidate: candidate, reason: error))
            }
        }
        answer.matches.sort { precedes($0, $1, on: page) }
        return answer
    }

    /// Checks the conditions that apply to every form.
    static func check(
        _ item: AutoFillCandidate,
        _ service: WebService,
        _ account: String?
    ) throws(AutoFillRefusal) {
        if let refusal = service.refusal(ofItem: item.protocolName, port: item.port) {
            throw refusal
        }
        if let letters = item.authenticationType, !formTypes.contains(letters) {
            throw .notForForms(letters)
        }
        guard !item.isNegative else { throw .negative }
        if let account, account != item.account { throw .otherAccount }
        guard item.isReachable else { throw .locked }
    }

    /// Returns the host of an item that AutoFill can offer.
    static func host(of item: AutoFillCandidate) throws(AutoFillRefusal) -> HostName {
        guard item.isInternetPassword else { throw .notInternetPassword }
        guard !item.server.isEmpty else { throw .noServer }
        guard let host = try? HostName(item.server) else { throw .serverNotHost }
        return host
    }

    /// The authentication types for forms: form, default and none.
    ///
    /// Others are for dialogs and other protocols.
    private static let formTypes: Set<String> = ["form", "dflt", ""]

    private static func closeness(
        of item: AutoFillCandidate,
        to page: PageAddress,
        _ isMixed: Bool
    ) throws(AutoFillRefusal) -> AutoFillMatch.Closeness {
        let host = try host(of: item)
        if host == page.host { return .exactHost }
        let domain = page.host.registrableDomain
        if let domain, domain == host.registrableDomain {
            guard !isMixed else { throw .mixedScripts }
            return .sameDomain
        }
        if LookAlike.resembles(page.host, host) { throw .lookAlike(of: host.unicode) }
        guard page.host.isBelow(host) || host.isBelow(page.host) || areNeighbours(page.host, host)
        else { throw .otherHost }
        guard let suffix = PublicSuffixes.suffix(of: page.host.ascii) else { throw .onlyExactHost }
        throw .otherOwner(suffix: suffix)
    }

    /// Whether two hosts differ only in their first label, and share at least two others.
    private static func areNeighbours(_ one: HostName, _ other: HostName) -> Bool {
        guard one.kind != .address, other.kind != .address,
            let left = one.ascii.firstIndex(of: "."), let right = other.ascii.firstIndex(of: ".")
        else { return false }
        let rest = one.ascii[left...].dropFirst()
        return rest.contains(".") && rest == other.ascii[right...].dropFirst()
    }

    private static func precedes(
        _ left: AutoFillMatch,
        _ right: AutoFillMatch,
        on page: PageAddress
    ) -> Bool {
        if left.closeness != right.closeness { return left.closeness < right.closeness }
        let leftPath = pathRank(left.candidate, page)
        let rightPath = pathRank(right.candidate, page)
        if leftPath != rightPath { return leftPath > rightPath }
        let modified = (left.candidate.modified, right.candidate.modified)
        if modified.0 != modified.1 { return modified.0 > modified.1 }
        return left.candidate.account < right.candidate.account
    }

    /// Returns the rank of an item's path: the longest path that contains the page, then none, then
    /// others.
    private static func pathRank(_ item: AutoFillCandidate, _ page: PageAddress) -> Int {
        let path = item.path.split(separator: "/")
        return page.path.split(separator: "/").starts(with: path) ? path.count : -1
    }
}
