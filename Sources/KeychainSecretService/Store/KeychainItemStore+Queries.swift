import KeychainMessages
import KeychainModel
import SecretServiceNames
import SecretServiceProtocol
import Secrets

// Queries and their results.
extension KeychainItemStore {
    /// Returns a filter for generic passwords of the group.
    func scope(_ filter: AttributeDictionary) -> AttributeDictionary {
        var filter = filter
        filter[QueryKey.itemClass.rawValue] = .string(ItemClass.genericPassword.rawValue)
        filter[.accessGroup] = .string(group)
        return filter
    }

    /// Returns every generic password that matches a filter.
    func list(_ filter: AttributeDictionary) throws(SecretServiceError) -> Listing {
        let query = AttributeDictionary.all(
            .genericPassword,
            where: scope(filter),
            returning: [.returnPersistentReference]
        )
        guard case .listing(let listing) = try send(.list(query)) else { throw .unexpectedReply }
        return listing
    }

    /// Returns the item with a name, if it is in the group.
    func listing(_ name: ItemName) throws(SecretServiceError) -> Listing {
        guard let named = query(name) else { return Listing() }
        var query = AttributeDictionary.all(
            .genericPassword,
            where: named,
            returning: [.returnPersistentReference]
        )
        query[.synchronizable] = nil
        guard case .listing(var listing) = try send(.list(query)) else { throw .unexpectedReply }
        listing.items.removeAll { $0.text(.accessGroup) != group }
        listing.outOfReach.removeAll { $0.attributes[.accessGroup] != .string(group) }
        return listing
    }

    /// Returns every generic password with all of the pairs.
    func listing(pairs: [String: String]) throws(SecretServiceError) -> Listing {
        let encoded = try translating { () throws(KeychainError) in
            try LookupPairs(pairs).encoded
        }
        return try list([Attribute.lookupPairs.rawValue: .data(encoded)])
    }

    func send(_ request: ItemRequest) throws(SecretServiceError) -> ItemReply {
        try translating { () throws(KeychainError) in try endpoint.send(request) }
    }

    func translating<R>(
        _ body: () throws(KeychainError) -> R
    ) throws(SecretServiceError) -> R {
        do throws(KeychainError) { return try body() } catch { throw SecretServiceError(error) }
    }

    /// Returns the name of an item for its persistent reference.
    func name(_ reference: [UInt8], in collection: String) -> ItemName {
        ItemName(collection: collection, identifier: Hexadecimal.text(reference.dropFirst(4)))
    }

    /// Returns the query for the item with a name; nil for an invalid name.
    ///
    /// A reference excludes other attributes from a query, so the group is checked in the result.
    func query(_ name: ItemName) -> AttributeDictionary? {
        guard let bytes = Hexadecimal.bytes(name.identifier) else { return nil }
        let reference = Array(ItemClass.genericPassword.rawValue.utf8) + bytes
        guard PersistentReference(decoding: reference) != nil else { return nil }
        return .named(.genericPassword, reference)
    }
}

extension ItemDictionary {
    private static let secondsFrom1970To2001 = 978_307_200.0

    var reference: [UInt8]? { persistentReference }

    /// The lookup pairs; nil if the item has none.
    private var pairs: [String: String]? {
        guard case .data(let bytes)? = attributes[.lookupPairs], !bytes.isEmpty else { return nil }
        return LookupPairs(encoded: bytes)?.pairs
    }

    /// Whether a Secret Service stored the item.
    var isDoorItem: Bool { pairs != nil }

    /// Whether a Secret Service stored the item with all of the attributes.
    func hasPairs(_ attributes: [String: String]) -> Bool {
        guard let pairs else { return false }
        return attributes.allSatisfy { pairs[$0.key] == $0.value }
    }

    /// Whether the item is a record of a collection, a grant or a migration.
    ///
    /// Clients' items have lookup pairs, so clients cannot make a record.
    var isRecord: Bool { isRecord(KeychainItemStore.recordDescription) || isGrant || isUndo }

    private var isUndo: Bool {
        text(.service) == StoredNames.undoService && !isDoorItem
    }

    /// Whether the item permits a program to use the shared collection.
    var isGrant: Bool { isRecord(KeychainItemStore.grantDescription) }

    private func isRecord(_ description: String) -> Bool {
        text(.service) == KeychainItemStore.recordService
            && text(.description) == description && !isDoorItem
    }

    /// The collection of the item; nil for a record.
    var collection: String? {
        guard !isRecord else { return nil }
        return pairs?[KeychainItemStore.collectionPair] ?? CollectionRecord.login.name
    }

    var contentType: String {
        guard isDoorItem, let text = text(.description), !text.isEmpty else {
            return ContentType.plainText
        }
        return text
    }

    /// The item in the form of the Secret Service.
    var stored: StoredItem {
        .open(
            ItemContent(label: label, attributes: visibleAttributes),
            created: seconds(.creationDate),
            modified: seconds(.modificationDate)
        )
    }

    private var label: String { text(.label) ?? text(.service) ?? "" }

    private var visibleAttributes: [String: String] {
        if let pairs {
            return pairs.filter { !$0.key.hasPrefix(ServiceLimits.reservedPrefix) }
        }
        return KeychainItemStore.foreignAttributes.compactMapValues(text)
    }

    func text(_ attribute: Attribute) -> String? {
        switch attributes[attribute] {
        case .string(let text)?: text
        case .data(let bytes)?: String(validating: bytes, as: UTF8.self)
        default: nil
        }
    }

    /// Returns a date in seconds since 1970; 0 if there is none.
    func seconds(_ attribute: Attribute) -> UInt64 {
        guard case .date(let seconds)? = attributes[attribute] else { return 0 }
        return UInt64(exactly: (seconds + Self.secondsFrom1970To2001).rounded(.down)) ?? 0
    }
}

extension Listing {
    /// The items with readable attributes, including those whose access control protects only their
    /// values.
    var shown: [ItemDictionary] {
        let kept = outOfReach.filter { $0.obstacle == .accessControl }
        return items
            + kept.map { item in
                var readable = ItemDictionary()
                readable.attributes = item.attributes
                readable.persistentReference = item.persistentReference
                return readable
            }
    }

    /// The persistent references of all items, including those that do not open.
    var references: [[UInt8]] {
        items.compactMap(\.persistentReference) + outOfReach.map(\.persistentReference)
    }
}

extension SecretServiceError {
    static let locked = SecretServiceError(.isLocked, "the keychain is locked")
    static let unexpectedReply = SecretServiceError(KeychainError.unexpectedReply)

    static func missing(_ name: ItemName) -> SecretServiceError {
        SecretServiceError(.noSuchObject, "there is no item \(name.identifier)")
    }

    /// Converts the keychain's error to one of the Secret Service.
    init(_ error: KeychainError) {
        let kind: Kind =
            switch error.status {
            case .interactionNotAllowed: .isLocked
            case .itemNotFound: .noSuchObject
            case .dataTooLarge: .limitsExceeded
            case .param: .invalidArguments
            default: .failed
            }
        self.init(kind, error.description)
    }
}
