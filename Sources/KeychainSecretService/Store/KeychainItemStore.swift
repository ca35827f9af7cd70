import Cryptography
import KeychainMessages
import KeychainModel
import SecretServiceNames
import SecretServiceProtocol
import Secrets

// Invariants   (1) Only generic passwords of one access group are read or changed.
//              (2) There are no prompts: an item that requires one counts as unreadable.

/// A store that keeps collections and items of the Secret Service as generic passwords.
///
/// - Source: Documentation/Spec/secret-service.md §4 and §5.
package final class KeychainItemStore: SecretItemStore {
    let endpoint: any Endpoint
    /// The access group of all items.
    let group: String
    let random: any RandomSource
    /// The records of collections after they were read; only this program changes them.
    let known = AdaptiveMutex<[CollectionRecord]?>(nil)
    /// The programs that may use the shared collection, and the end of this list's validity.
    ///
    /// A user may revoke a grant with `keychainctl`.
    let knownGrants = AdaptiveMutex<(programs: Set<String>, end: ContinuousClock.Instant)?>(nil)

    /// The name of the pair with an item's collection.
    static let collectionPair = StoredNames.collectionPair
    /// The name of the pair that marks an item of the generic schema.
    static let schemaPair = StoredNames.schemaPair

    package init(_ endpoint: any Endpoint, group: String, random: any RandomSource) {
        self.endpoint = endpoint
        self.group = group
        self.random = random
    }

    /// Returns the keychain's lock state and the caller's groups.
    package static func status(
        of endpoint: any Endpoint
    ) throws(KeychainError) -> DeviceStatus {
        guard case .status(let status) = try endpoint.send(DeviceRequest.status) else {
            throw .unexpectedReply
        }
        return status
    }

    package var isLocked: Bool {
        get throws(SecretServiceError) {
            let status = try translating { () throws(KeychainError) in
                try Self.status(of: endpoint)
            }
            return status.isPasscodeSet && status.lockState != .unlocked
        }
    }

    package func lock() throws(SecretServiceError) -> Bool {
        try translating { () throws(KeychainError) in
            _ = try endpoint.send(DeviceRequest.lock)
        }
        return try isLocked
    }

    // MARK: Items

    package func items(of collection: String) throws(SecretServiceError) -> [ItemName] {
        guard collection == CollectionRecord.login.name else {
            return try listing(pairs: [Self.collectionPair: collection]).references
                .map { name($0, in: collection) }
        }
        let others = try collections().map(\.name).filter { $0 != collection }
        let listing = try list([:])
        var found = listing.items.filter { $0.collection == collection }.compactMap(\.reference)
        if !listing.outOfReach.isEmpty {
            var foreign = Set(try recordReferences())
            for other in others {
                let pairs = [Self.collectionPair: other]
                foreign.formUnion(try self.listing(pairs: pairs).references)
            }
            found += listing.outOfReach.map(\.persistentReference).filter { !foreign.contains($0) }
        }
        return found.map { name($0, in: collection) }
    }

    package func search(
        _ attributes: [String: String],
        in collection: String?
    ) throws(SecretServiceError) -> SearchResult {
        guard !attributes.isEmpty else { return try everything(in: collection) }
        let wanted = Self.wantedPairs(attributes)
        var result = SearchResult()
        var pairs = wanted
        if let collection { pairs[Self.collectionPair] = collection }
        let listing = try listing(pairs: pairs)
        for item in listing.shown where item.hasPairs(wanted) {
            if let reference = item.reference {
                result.unlocked.append(name(reference, in: item.collection ?? ""))
            }
        }
        if listing.outOfReach.contains(where: { $0.obstacle == .lockState }) {
            result.locked = try locked(wanted, in: collection)
        }
        guard collection == nil || collection == CollectionRecord.login.name else { return result }
        return try adding(try foreign(attributes), to: result)
    }

    /// Returns the pairs that a search for attributes requires.
    private static func wantedPairs(_ attributes: [String: String]) -> [String: String] {
        guard ItemSchema.isGeneric(attributes) else { return attributes }
        var pairs = attributes
        pairs[ItemSchema.attribute] = nil
        pairs[schemaPair] = ItemSchema.generic
        return pairs
    }

    /// Returns items of other programs that match by the attributes `service` and `account`.
    ///
    /// Such items have no schema.
    private func foreign(
        _ attributes: [String: String]
    ) throws(SecretServiceError) -> Listing {
        var filter: AttributeDictionary = [:]
        for (name, value) in attributes {
            if name == ItemSchema.attribute, value == ItemSchema.generic { continue }
            guard let attribute = Self.foreignAttributes[name] else { return Listing() }
            filter[attribute] = .string(value)
        }
        var found = try list(filter)
        guard filter.values.isEmpty, !found.outOfReach.isEmpty else { return found }
        // In a closed item, only the pairs distinguish a client's item from another program's.
        var own: Set<[UInt8]> = []
        for collection in try collections().map(\.name) {
            own.formUnion(try listing(pairs: [Self.collectionPair: collection]).references)
        }
        found.outOfReach.removeAll { own.contains($0.persistentReference) }
        return found
    }

    static let foreignAttributes: [String: Attribute] = ["service": .service, "account": .account]

    private func adding(
        _ foreign: Listing,
        to result: SearchResult
    ) throws(SecretServiceError) -> SearchResult {
        var result = result
        let login = CollectionRecord.login.name
        for item in foreign.shown where !item.isDoorItem && !item.isRecord {
            if let reference = item.reference {
                result.unlocked.append(name(reference, in: login))
            }
        }
        var known = Set(result.locked.map(\.identifier))
        let closed = foreign.outOfReach.filter { $0.obstacle == .lockState }
        if !closed.isEmpty {
            known.formUnion(try recordReferences().map { name($0, in: login).identifier })
        }
        for item in closed {
            let name = name(item.persistentReference, in: login)
            if !known.contains(name.identifier) { result.locked.append(name) }
        }
        return result
    }

    /// Returns the matching items of a locked keychain.
    ///
    /// Searches each collection, because otherwise an item's collection is unknown.
    private func locked(
        _ attributes: [String: String],
        in collection: String?
    ) throws(SecretServiceError) -> [ItemName] {
        let names = try names(collection)
        var found: [ItemName] = []
        for collection in names {
            var pairs = attributes
            pairs[Self.collectionPair] = collection
            found += try listing(pairs: pairs).outOfReach
                .map { name($0.persistentReference, in: collection) }
        }
        return found
    }

    /// Returns the name of one collection, or of all.
    private func names(_ collection: String?) throws(SecretServiceError) -> [String] {
        if let collection { return [collection] }
        return try collections().map(\.name)
    }

    private func everything(
        in collection: String?
    ) throws(SecretServiceError) -> SearchResult {
        let names = try names(collection)
        var items: [ItemName] = []
        for name in names { items += try self.items(of: name) }
        return try isLocked ? SearchResult(locked: items) : SearchResult(unlocked: items)
    }

    package func item(_ name: ItemName) throws(SecretServiceError) -> StoredItem? {
        if let item = readable(name) { return item }
        let listing = try listing(name)
        if let item = listing.items.first {
            guard !item.isRecord, item.collection == name.collection else { return nil }
            return item.stored
        }
        guard !listing.outOfReach.isEmpty else { return nil }
        guard let item = listing.shown.first else { return .locked }
        return item.collection == name.collection ? item.stored : nil
    }

    /// Returns an item that opens without a prompt.
    ///
    /// Such searches run in parallel, because clients ask for ten thousand items one by one.
    ///
    /// - Returns: The item; nil for any other one, whose listing gives the reason.
    private func readable(_ name: ItemName) -> StoredItem? {
        guard let named = query(name) else { return nil }
        let query = unasked(.first(of: named, returning: []))
        guard case .result(.dictionary(let item))? = try? send(.copyMatching(query)),
            !item.isRecord, item.collection == name.collection,
            item.text(.accessGroup) == group
        else { return nil }
        return item.stored
    }

    package func secret(of name: ItemName) throws(SecretServiceError) -> StoredSecret {
        guard let named = query(name) else { throw .missing(name) }
        let query = unasked(.first(of: named, returning: [.returnData]))
        let reply = try send(.copyMatching(query))
        guard case .result(.dictionary(let item)) = reply else { throw .unexpectedReply }
        guard !item.isRecord, item.collection == name.collection,
            item.text(.accessGroup) == group
        else { throw .missing(name) }
        return StoredSecret(
            item.data ?? SharedSecret(Secret(copying: [])),
            contentType: item.contentType
        )
    }

    package func update(
        _ name: ItemName,
        with change: ItemChange
    ) throws(SecretServiceError) {
        guard let query = query(name), let present = try item(name) else { throw .missing(name) }
        guard present != .locked else { throw .locked }
        var changes: AttributeDictionary = [:]
        if let label = change.label { changes[.label] = .string(label) }
        if let attributes = change.attributes {
            changes[.lookupPairs] = .data(try pairs(attributes, in: name.collection))
        }
        if let secret = change.secret {
            changes[QueryKey.valueData.rawValue] = .secret(secret.value)
            changes[.description] = .string(Self.description(secret.contentType))
        }
        _ = try send(.update(unasked(query), with: changes))
    }

    package func delete(_ name: ItemName) throws(SecretServiceError) {
        guard let query = query(name), let present = try item(name) else { throw .missing(name) }
        guard present != .locked else { throw .locked }
        _ = try send(.delete(unasked(query)))
    }

    /// Returns the same query, which fails where it would prompt the user.
    private func unasked(_ query: AttributeDictionary) -> AttributeDictionary {
        var query = query
        query[QueryKey.useAuthenticationUI.rawValue] = .string(QueryKey.Word.interfaceFail)
        return query
    }
}
