import Secrets

/// A store of collections and their items.
///
/// `MemoryItemStore` is the reference: a store with a keychain has the same results.
package protocol SecretItemStore: Sendable {
    /// Whether labels, attributes and values are sealed now.
    var isLocked: Bool { get throws(SecretServiceError) }

    /// Locks all collections; returns whether they are locked now.
    func lock() throws(SecretServiceError) -> Bool

    /// Returns the collections with their labels and aliases.
    func collections() throws(SecretServiceError) -> [CollectionRecord]

    /// Adds a collection, or replaces the record with the same name.
    func save(_ collection: CollectionRecord) throws(SecretServiceError)

    /// Deletes a collection with its items, and returns the items' names.
    func deleteCollection(_ name: String) throws(SecretServiceError) -> [ItemName]

    /// Returns all items of a collection, in the order of addition.
    func items(of collection: String) throws(SecretServiceError) -> [ItemName]

    /// Returns the items with all of the attributes, in one collection or, for nil, in all.
    func search(
        _ attributes: [String: String],
        in collection: String?
    ) throws(SecretServiceError) -> SearchResult

    /// Returns an item; nil if its collection has none with that name.
    func item(_ name: ItemName) throws(SecretServiceError) -> StoredItem?

    /// Returns the value and content type of an item.
    ///
    /// - Throws: `noSuchObject` or `isLocked`.
    func secret(of name: ItemName) throws(SecretServiceError) -> StoredSecret

    /// Adds an item.
    ///
    /// - Throws: `isLocked` while the keychain is locked.
    func add(
        _ item: ItemContent,
        _ secret: StoredSecret,
        to collection: String
    ) throws(SecretServiceError) -> ItemName

    /// Changes the parts of an item that are not nil.
    ///
    /// - Throws: `noSuchObject` or `isLocked`.
    func update(_ name: ItemName, with change: ItemChange) throws(SecretServiceError)

    /// Deletes an item.
    ///
    /// - Throws: `noSuchObject` or `isLocked`.
    func delete(_ name: ItemName) throws(SecretServiceError)

    /// The collection to which the alias `default` refers at first.
    var defaultCollection: String { get }

    /// The prefix for the names of new collections.
    var collectionPrefix: String { get }

    /// Returns whether a collection exists, but the user has not granted it yet.
    func isClosed(_ collection: String) throws(SecretServiceError) -> Bool

    /// Returns the paths of the programs that may use the shared collection.
    func grants() throws(SecretServiceError) -> Set<String>

    /// Permits a program to use the shared collection.
    func grant(_ program: String) throws(SecretServiceError)
}

// Defaults for a store that programs share.
extension SecretItemStore {
    package var defaultCollection: String { CollectionRecord.login.name }

    package var collectionPrefix: String { "" }

    package func isClosed(_ collection: String) throws(SecretServiceError) -> Bool { false }
}

/// The stored record of a collection.
package struct CollectionRecord: Sendable, Equatable {
    package let name: String
    package var label: String
    /// The aliases, without `session`.
    package var aliases: [String]
    /// The time of creation in seconds since 1970; 0 if unknown.
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

    /// The default collection before a record of it is stored.
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

/// The label and attributes of an item.
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
    /// An open item; times are in seconds since 1970.
    case open(ItemContent, created: UInt64, modified: UInt64)
}

/// A value with its content type.
package struct StoredSecret: Sendable {
    package let value: SharedSecret
    /// The content type.
    ///
    /// Every spelling of UTF-8 text becomes `text/plain`; other types stay unchanged.
    package let contentType: String

    package init(_ value: SharedSecret, contentType: String = ContentType.plainText) {
        self.value = value
        self.contentType = ContentType.normalized(contentType)
    }
}

/// A change of an item; nil leaves a part unchanged.
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
