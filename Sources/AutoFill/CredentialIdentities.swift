import Synchronization

/// An account for which a credential provider has a password; does not contain the password.
package struct CredentialIdentity: Hashable, Sendable {
    /// The properties that identify an identity.
    package struct Key: Hashable, Sendable {
        let service: String
        let isURL: Bool
        let user: String
        let record: String?
    }

    /// The domain or URL.
    package let service: String
    package let isURL: Bool
    package let user: String
    /// The provider's own name for the record.
    package let record: String?
    /// The rank; a higher one comes first.
    package var rank: Int

    package init(service: String, isURL: Bool, user: String, record: String?, rank: Int) {
        self.service = service
        self.isURL = isURL
        self.user = user
        self.record = record
        self.rank = rank
    }

    var key: Key { Key(service: service, isURL: isURL, user: user, record: record) }

    /// The identity in the form of an item; a domain stands for HTTPS.
    var candidate: AutoFillCandidate {
        guard isURL else {
            return AutoFillCandidate(server: service, protocolName: "htps", account: user)
        }
        guard let page = try? PageAddress(service) else {
            return AutoFillCandidate(server: "", account: user)
        }
        var candidate = AutoFillCandidate(
            server: page.host.ascii,
            protocolName: page.service.protocolName,
            account: user
        )
        candidate.port = page.service.port
        candidate.path = page.path
        return candidate
    }
}

/// The identities that one provider has saved in the system.
package final class CredentialIdentityList: Sendable {
    private let identities = Mutex<[CredentialIdentity.Key: CredentialIdentity]>([:])

    package init() {}

    /// Every identity, by service and user.
    package var all: [CredentialIdentity] {
        identities.withLock { Array($0.values) }
            .sorted { ($0.service, $0.user) < ($1.service, $1.user) }
    }

    package func save(_ new: [CredentialIdentity]) {
        identities.withLock { known in
            for identity in new { known[identity.key] = identity }
        }
    }

    package func remove(_ old: [CredentialIdentity]) {
        identities.withLock { known in
            for identity in old { known[identity.key] = nil }
        }
    }

    /// Replaces all identities in one step.
    package func replace(with new: [CredentialIdentity]) {
        identities.withLock { known in
            known = [:]
            for identity in new { known[identity.key] = identity }
        }
    }

    /// Returns the identities for a page: the same host first, then the higher rank.
    ///
    /// The rules are the same as for items.
    package func matching(_ page: PageAddress) -> [CredentialIdentity] {
        let found = all.compactMap { identity -> (Int, CredentialIdentity)? in
            let answer = AutoFillMatcher.answer(for: page, among: [identity.candidate])
            return answer.matches.first.map { ($0.closeness.rawValue, identity) }
        }
        return found.sorted { ($0.0, -$0.1.rank) < ($1.0, -$1.1.rank) }.map(\.1)
    }
}

/// A device with AutoFill, which stores the identities of an app.
package protocol CredentialIdentityHost: Sendable {
    /// The identities; nil if the user did not choose the app as a provider.
    var credentialIdentities: CredentialIdentityList? { get }
}
