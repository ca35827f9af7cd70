import KeychainMessages
import KeychainModel
import Secrets

/// Finds, stores and erases the internet passwords that tools of the web ask for.
package struct WebCredentialStore {
    private let keychain: CredentialKeychain

    package init(_ keychain: CredentialKeychain) { self.keychain = keychain }

    /// The credentials that a request matches, the best first.
    ///
    /// Without a path in the request, those without one come first; then those of its protocol;
    /// then the newest.
    ///
    /// - Throws: Why an item of the server is out of reach, if that is all there is.
    package func matches(_ request: WebRequest) throws(KeychainError) -> [WebCredential] {
        var listing = Listing()
        for server in request.servers { listing.append(try self.listing(server: server)) }
        let found = listing.credentials.filter(request.matches)
        if found.isEmpty, let closed = listing.closed.first { throw closed.error }
        // Of two that are equally new, the one that was added later.
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

    /// Every internet password, or those of one server by its very name.
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

    /// The secret of one of them; a person may have to be asked.
    package func secret(of item: WebCredential) throws(KeychainError) -> SharedSecret {
        try secret(named: item.reference)
    }

    func secret(named reference: [UInt8]) throws(KeychainError) -> SharedSecret {
        let name = AttributeDictionary.named(.internetPassword, reference)
        let found = try keychain.firstItem(name, returning: [.returnData])
        return found.data ?? SharedSecret(Secret(copying: []))
    }

    /// The accounts of the generic passwords of a service, which no tool of the web gets.
    func genericAccounts(of service: String) throws(KeychainError) -> [String] {
        let filter: AttributeDictionary = [Attribute.service.rawValue: .string(service)]
        let found = try keychain.listing(of: .genericPassword, where: filter, returning: [])
        return found.items.map { item in
            guard case .string(let account)? = item.attributes[.account] else { return "" }
            return account
        }
    }

    /// Changes the credential of the request's very path and account, or adds it.
    ///
    /// One that is already found with the same secret is enough: git stores whatever worked. A
    /// request without a user is for the empty account.
    ///
    /// - Parameters:
    ///   - secret: The password, or the parameter of an authentication scheme.
    ///   - request: Where it is for.
    ///   - authenticationType: Four letters for a new item; nil for unknown.
    ///   - creator: The tool's four letters as a number, for a new item; nil for none.
    ///   - change: What the comment is to tell programs.
    /// - Throws: What the keychain says.
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

    /// Deletes one of them.
    package func erase(_ item: WebCredential) throws(KeychainError) {
        _ = try keychain.send(.delete(named(item)))
    }

    private func named(_ item: WebCredential) -> AttributeDictionary {
        .named(.internetPassword, item.reference)
    }
}

extension WebCredentialStore {
    /// What a search for credentials found.
    package struct Listing {
        /// Those whose attributes are known, also where the secret needs a person.
        package private(set) var credentials: [WebCredential] = []
        /// Items of which too little is known to tell what they are for.
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
