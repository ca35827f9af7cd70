import Secrets

/// Where collections and their items are kept.
///
/// `MemoryItemStore` is the model: a store with a keychain behind it answers as it does.
package protocol SecretItemStore: Sendable {
    /// Whether labels, attributes and values are out of reach now.
    var isLocked: Bool { get throws(SecretServiceError) }

    /// Locks all collections; returns whether they are locked now.
    func lock() throws(SecretServiceError) -> Bool

    /// The collections with their labels and aliases.
    func collections() throws(SecretServiceError) -> [CollectionRecord]

    /// Adds a collection, or replaces what is known of one of the same name.
    func save(_ collection: CollectionRecord) throws(SecretServiceError)

    /// Deletes a collection and its items; returns the names of the items.
    func deleteCollection(_ name: String) throws(SecretServiceError) -> [ItemName]

    /// All items of a collection, in the order in which they were added.
    func items(of collection: String) throws(SecretServiceError) -> [ItemName]

    /// Finds the items that have all of the attributes; those of one collection, or nil for all.
    func search(
        _ attributes: [String: String],
        in collection: String?
    ) throws(SecretServiceError) -> SearchResult

    /// An item; nil if there is none of that name in its collection.
    func item(_ name: ItemName) throws(SecretServiceError) -> StoredItem?

    /// The value of an item and its content type.
    ///
    /// - Throws: `noSuchObject`, `isLocked`.
    func secret(of name: ItemName) throws(SecretServiceError) -> StoredSecret

    /// Adds an item.
    ///
    /// - Throws: `isLocked`.
    func add(
        _ item: ItemContent,
        _ secret: StoredSecret,
        to collection: String
    ) throws(SecretServiceError) -> ItemName

    /// Changes what is not nil.
    ///
    /// - Throws: `noSuchObject`, `isLocked`.
    func update(_ name: ItemName, with change: ItemChange) throws(SecretServiceError)

    /// - Throws: `noSuchObject`, `isLocked`.
    func delete(_ name: ItemName) throws(SecretServiceError)

    /// The collection that the alias `default` names at first.
    var defaultCollection: String { get }

    /// What the names of new collections begin with.
    var collectionPrefix: String { get }

    /// Whether a collection is there, but has to be granted by a person.
    func isClosed(_ collection: String) throws(SecretServiceError) -> Bool

    /// The paths of the programs that may use the shared collection.
    func grants() throws(SecretServiceError) -> Set<String>

    /// Lets a program use the shared collection.
    func grant(_ program: String) throws(SecretServiceError)
}

// A store that programs share.
extension SecretItemStore {
    package var defaultCollection: String { CollectionRecord.login.name }

    package var collectionPrefix: String { "" }

    package func isClosed(_ collection: String) throws(SecretServiceError) -> Bool { false }
}

/// A collection as it is stored.
package struct CollectionRecord: Sendable, Equatable {
    package let name: String
    package var label: String
    /// Without `session`.
    package var aliases: [String]
    /// Seconds since 1970; 0 for unknown.
    package var created: UInt64
    package var modified: UInt64

    package init(
        name: String,
        label: String,
        aliases: [String] = [],
        created: UInt64 = 0,
        modified: UInt64 = 0
    ) {
        self.name = name
        self.label = label
        self.aliases = aliases
        self.created = created
        self.modified = modified
    }

    /// The default collection, as long as nothing is stored about it.
    package static let login = CollectionRecord(name: "login", label: "Login")
    /// The collection in memory.
    package static let session = CollectionRecord(name: "session", label: "Session")
}

/// The items that a search found.
package struct SearchResult: Sendable, Equatable {
    package var unlocked: [ItemName]
    package var locked: [ItemName]

    package init(unlocked: [ItemName] = [], locked: [ItemName] = []) {
        self.unlocked = unlocked
        self.locked = locked
    }
}

/// What a client says about an item, beside its value.
package struct ItemContent: Sendable, Equatable {
    package var label: String
    package var attributes: [String: String]

    package init(label: String = "", attributes: [String: String] = [:]) {
        self.label = label
        self.attributes = attributes
    }
}

/// An item without its value.
package enum StoredItem: Sendable, Equatable {
    case locked
    /// Seconds since 1970.
    case open(ItemContent, created: UInt64, modified: UInt64)
}

/// A value with its content type.
package struct StoredSecret: Sendable {
    package let value: SharedSecret
    /// `text/plain` for every spelling of UTF-8 text, and any other type as it was given.
    package let contentType: String

    package init(_ value: SharedSecret, contentType: String = ContentType.plainText) {
        self.value = value
        self.contentType = ContentType.normalized(contentType)
    }
}

/// What is to become of an item; nil leaves a part as it is.
package struct ItemChange: Sendable {
    package var label: String?
    package var attributes: [String: String]?
    package var secret: StoredSecret?

    package init(
        label: String? = nil,
        attributes: [String: String]? = nil,
        secret: StoredSecret? = nil
    ) {
        self.label = label
        self.attributes = attributes
        self.secret = secret
    }
}
