import KeychainMessages
import KeychainModel
import SecretServiceNames
import SecretServiceProtocol
import Secrets

// The records of collections, which are generic passwords that are readable in a locked keychain.
extension KeychainItemStore {
    static let recordService = "org.freedesktop.secrets"
    static let recordDescription = "Secret Service collection"
    private static let accountPrefix = "collection:"

    package func collections() throws(SecretServiceError) -> [CollectionRecord] {
        if let known = known.withLock({ $0 }) { return known }
        let listing = try list(Self.recordFilter)
        var records = listing.items.filter(\.isRecord).compactMap(Self.record)
        if !records.contains(where: { $0.name == CollectionRecord.login.name }) {
            records.insert(.login, at: 0)
        }
        // A record that is not readable now may appear later.
        if listing.outOfReach.isEmpty { known.withLock { $0 = records } }
        return records
    }

    private static var recordFilter: AttributeDictionary {
        [Attribute.service.rawValue: .string(recordService)]
    }

    /// Returns the references of the records, and of clients' items under the records' service.
    ///
    /// In a locked keychain there is nothing to distinguish them.
    func recordReferences() throws(SecretServiceError) -> [[UInt8]] {
        try list(Self.recordFilter).references
            + list([Attribute.service.rawValue: .string(StoredNames.undoService)]).references
    }

    private static func record(_ item: ItemDictionary) -> CollectionRecord? {
        guard let account = item.text(.account), account.hasPrefix(accountPrefix) else {
            return nil
        }
        let name = String(account.dropFirst(accountPrefix.count))
        // A collection without a valid path is unreachable.
        guard ObjectPath.collection(name).isValid else { return nil }
        return CollectionRecord(
            name: name,
            label: item.text(.label) ?? "",
            aliases: (item.text(.comment) ?? "").split(separator: " ").map(String.init),
            created: item.seconds(.creationDate),
            modified: item.seconds(.modificationDate)
        )
    }

    package func save(_ collection: CollectionRecord) throws(SecretServiceError) {
        known.withLock { $0 = nil }
        var changes: AttributeDictionary = [:]
        changes[.label] = .string(collection.label)
        changes[.comment] = .string(collection.aliases.joined(separator: " "))
        do throws(SecretServiceError) {
            _ = try send(.update(recordQuery(collection.name), with: changes))
        } catch {
            guard error.kind == .noSuchObject else { throw error }
            var record = recordQuery(collection.name)
            for (key, value) in changes.values { record[key] = value }
            try addRecord(record, Self.recordDescription)
        }
    }

    private func addRecord(
        _ record: AttributeDictionary,
        _ description: String
    ) throws(SecretServiceError) {
        var record = record
        record[.description] = .string(description)
        record[.accessible] = .string(ProtectionClass.always.code)
        record[QueryKey.valueData.rawValue] = .secret(SharedSecret(Secret(copying: [])))
        _ = try send(.add(record))
    }

    private func recordQuery(_ name: String) -> AttributeDictionary {
        query(account: Self.accountPrefix + name)
    }

    private func query(account: String) -> AttributeDictionary {
        var query = scope([:])
        query[.service] = .string(Self.recordService)
        query[.account] = .string(account)
        return query
    }

    package func deleteCollection(
        _ name: String
    ) throws(SecretServiceError) -> [ItemName] {
        guard try !isLocked else { throw .locked }
        let items = try items(of: name)
        for item in items {
            do throws(SecretServiceError) { try delete(item) } catch {
                guard error.kind == .noSuchObject else { throw error }
            }
        }
        known.withLock { $0 = nil }
        do throws(SecretServiceError) { _ = try send(.delete(recordQuery(name))) } catch {
            guard error.kind == .noSuchObject else { throw error }
        }
        return items
    }
}

// Grants: records of programs that may use the shared collection.
extension KeychainItemStore {
    static let grantDescription = "Secret Service grant"
    private static let programPrefix = "program:"
    /// The time for which a revoked grant may still be used.
    private static let grantDelay = Duration.seconds(5)

    package func grants() throws(SecretServiceError) -> Set<String> {
        let now = ContinuousClock.now
        if let known = knownGrants.withLock({ $0 }), now < known.end { return known.programs }
        let accounts = try list(Self.recordFilter).items.filter(\.isGrant)
            .compactMap { $0.text(.account) }
        let programs = Set(
            accounts.filter { $0.hasPrefix(Self.programPrefix) }
                .map { String($0.dropFirst(Self.programPrefix.count)) }
        )
        knownGrants.withLock { $0 = (programs, now + Self.grantDelay) }
        return programs
    }

    package func grant(_ program: String) throws(SecretServiceError) {
        knownGrants.withLock { $0 = nil }
        guard try !grants().contains(program) else { return }
        var record = query(account: Self.programPrefix + program)
        record[.label] = .string("\(program) uses the collection Login")
        try addRecord(record, Self.grantDescription)
        knownGrants.withLock { $0 = nil }
    }
}
