import KeychainMessages
import KeychainModel
import Secrets

/// A store that finds, adds and deletes the internet passwords of web tools.
package struct WebCredentialStore {
    private let keychain: CredentialKeychain

    package init(_ keychain: CredentialKeychain) { self.keychain = keychain }

    /// Returns the credentials that match a request, the best first.
    ///
    /// If the request has no path, those without a path come first, then those with its protocol,
    /// then the newest.
    ///
    /// - Throws: The reason why an item does not open, if there is no other match.
    package func matches(_ request: WebRequest) throws(KeychainError) -> [WebCredential] {
        var listing = Listing()
        for server in request.servers { listing.append(try self.listing(server: server)) }
        let found = listing.credentials.filter(request.matches)
        if found.isEmpty, let closed = listing.closed.first { throw closed.error }
        // If two are equally new, the one that was added later comes first.
        return found.reversed().sorted { left, right in
            rank(left, request).lexicographicallyPrecedes(rank(right, request))
        }
    }

    private func rank(_ item: WebCredential, _ request: WebRequest) -> [Double] {
        [
            request.path == nil && !item.path.isEmpty ? 1 : 0,
            item.protocolName == request.protocolName ? 0 : 1, -item.modified,
        ]
    }

    /// Returns every internet password, or those with exactly one server name.
    package func listing(server: String? = nil) throws(KeychainError) -> Listing {
        let filter: AttributeDictionary =
            server.map { [Attribute.server.rawValue: .string($0)] } ?? [:]
        let found = try keychain.listing(
            of: .internetPassword,
            where: filter,
            returning: [.returnPersistentReference]
        )
        return Listing(found)
    }

    /// Returns the secret of a credential; may prompt the user.
    package func secret(of item: WebCredential) throws(KeychainError) -> SharedSecret {
        try secret(named: item.reference)
    }

    func secret(named reference: [UInt8]) throws(KeychainError) -> SharedSecret {
        let name = AttributeDictionary.named(.internetPassword, reference)
        let found = try keychain.firstItem(name, returning: [.returnData])
        return found.data ?? SharedSecret(Secret(copying: []))
    }

    /// Returns the accounts of a service's generic passwords, which web tools never get.
    func genericAccounts(of service: String) throws(KeychainError) -> [String] {
        let filter: AttributeDictionary = [Attribute.service.rawValue: .string(service)]
        let found = try keychain.listing(of: .genericPassword, where: filter, returning: [])
        return found.items.map { item in
            guard case .string(let account)? = item.attributes[.account] else { return "" }
            return account
        }
    }

    /// Changes the credential with exactly the request's path and account, or adds one.
    ///
    /// If a match has the same secret, nothing changes, because git stores every credential that
    /// worked. A request without a user is for the empty account.
    ///
    /// - Parameters:
    ///   - secret: The password, or the parameter of an authentication scheme.
    ///   - request: The place of the credential.
    ///   - authenticationType: Four letters for a new item; nil if unknown.
    ///   - creator: The tool's four letters as a number, for a new item; nil for none.
    ///   - change: Changes the notes for programs in the comment.
    /// - Throws: The keychain's error.
    package func store(
        _ secret: SharedSecret,
        for request: WebRequest,
        authenticationType: String? = nil,
        creator: Int64? = nil,
        notes change: (inout CredentialNotes) -> Void = { _ in }
    ) throws(KeychainError) {
        let known = try matches(request).filter { $0.accountName == request.username ?? "" }
        let exact = known.first {
            $0.path == request.path ?? "" && $0.protocolName == request.protocolName
        }
        var notes = exact?.notes ?? CredentialNotes(comment: "")
        change(&notes)
        if let exact {
            let changes: AttributeDictionary = [
                QueryKey.valueData.rawValue: .secret(secret),
                Attribute.comment.rawValue: .string(notes.comment),
            ]
            _ = try keychain.send(.update(named(exact), with: changes))
        } else if let first = known.first, notes.comment.isEmpty,
            try self.secret(of: first).secret.constantTimeEquals(secret.secret)
        {
            return
        } else {
            try add(secret, request, authenticationType, creator, notes)
        }
    }

    private func add(
        _ secret: SharedSecret,
        _ request: WebRequest,
        _ authenticationType: String?,
        _ creator: Int64?,
        _ notes: CredentialNotes
    ) throws(KeychainError) {
        var item: AttributeDictionary = [
            QueryKey.itemClass.rawValue: .string(ItemClass.internetPassword.rawValue),
            QueryKey.valueData.rawValue: .secret(secret),
        ]
        item[.server] = .string(request.host.lowercased())
        item[.account] = (request.username ?? "").value
        item[.protocolName] = .string(request.protocolName)
        item[.port] = request.port.map { .number(Int64($0)) }
        item[.path] = request.itemPath.isEmpty ? nil : request.itemPath.value
        item[.authenticationType] = authenticationType.map(AttributeValue.string)
        item[.creator] = creator.map(AttributeValue.number)
        item[.label] = .string(request.host.isEmpty ? request.itemPath.text : request.host)
        if !notes.comment.isEmpty { item[.comment] = .string(notes.comment) }
        _ = try keychain.send(.add(item))
    }

    /// Deletes a credential.
    package func erase(_ item: WebCredential) throws(KeychainError) {
        _ = try keychain.send(.delete(named(item)))
    }

    private func named(_ item: WebCredential) -> AttributeDictionary {
        .named(.internetPassword, item.reference)
    }
}

extension WebCredentialStore {
    /// The result of a search for credentials.
    package struct Listing {
        /// The credentials with known attributes, including those whose secret requires a prompt.
        package private(set) var credentials: [WebCredential] = []
        /// Items with too few readable attributes to know their purpose.
        package private(set) var closed: [OutOfReachItem] = []

        init() {}

        init(_ found: KeychainMessages.Listing) {
            credentials = found.items.compactMap(WebCredential.init)
            for item in found.outOfReach {
                if item.attributes[.server] == nil {
                    closed.append(item)
                } else {
                    credentials.append(WebCredential(item))
                }
            }
        }

        mutating func append(_ other: Listing) {
            credentials += other.credentials
            closed += other.closed
        }
    }
}
