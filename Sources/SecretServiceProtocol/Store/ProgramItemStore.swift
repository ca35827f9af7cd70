import Cryptography

// Invariants   (1) A program reaches its own collections, and the shared one after a grant.
//              (2) Contents of a collection that the program does not reach seem to be absent.
//              (3) The program changes labels and aliases only of its own collections.

/// One program's view of a store that separates programs.
///
/// The program's own collection has a name derived from the program's path. The names of further
/// ones begin with it. The collection `login` is shared, and closed until the user grants it.
/// - Source: Documentation/Spec/secret-service.md §7.
package struct ProgramItemStore: SecretItemStore {
    private let base: any SecretItemStore
    /// The path of the program.
    private let program: String
    package let defaultCollection: String

    /// Makes the view of a program.
    ///
    /// - Throws: `failed` if the path cannot be hashed.
    package init(
        _ base: any SecretItemStore,
        of program: String
    ) throws(SecretServiceError) {
        self.base = base
        self.program = program
        defaultCollection = try Self.collection(of: program)
    }

    /// Returns the name of the collection with a program's alias `default`.
    package static func collection(of program: String) throws(SecretServiceError) -> String {
        do throws(CryptographyError) {
            let digest = try Digest.sha256(Array(program.utf8)).prefix(16)
            return "program_" + digest.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
        } catch {
            throw SecretServiceError(.failed, "the program's path cannot be hashed")
        }
    }

    private func isOwn(_ collection: String) -> Bool {
        collection == defaultCollection || collection.hasPrefix(collectionPrefix)
    }

    private func isGranted() throws(SecretServiceError) -> Bool {
        try base.grants().contains(program)
    }

    private func isReached(_ collection: String) throws(SecretServiceError) -> Bool {
        if isOwn(collection) { return true }
        guard collection == CollectionRecord.login.name else { return false }
        return try isGranted()
    }

    private func requireReached(_ name: ItemName) throws(SecretServiceError) {
        guard try isReached(name.collection) else { throw .noSuchObject(name.path) }
    }

    // MARK: The lock

    package var isLocked: Bool { get throws(SecretServiceError) { try base.isLocked } }

    package func lock() throws(SecretServiceError) -> Bool { try base.lock() }

    // MARK: Collections

    package var collectionPrefix: String { defaultCollection + "_" }

    package func isClosed(_ collection: String) throws(SecretServiceError) -> Bool {
        guard collection == CollectionRecord.login.name else { return false }
        return try !isGranted()
    }

    package func collections() throws(SecretServiceError) -> [CollectionRecord] {
        let all = try base.collections()
        var own = all.filter { isOwn($0.name) }
        if !own.contains(where: { $0.name == defaultCollection }) { own.insert(firstRecord, at: 0) }
        var shared = all.first { $0.name == CollectionRecord.login.name } ?? .login
        shared.aliases = []
        return own + [shared]
    }

    /// The record of the program's collection before anything is stored.
    private var firstRecord: CollectionRecord {
        let name = program.split(separator: "/").last.map(String.init) ?? program
        return CollectionRecord(name: defaultCollection, label: name)
    }

    package func save(_ collection: CollectionRecord) throws(SecretServiceError) {
        guard isOwn(collection.name) else {
            throw SecretServiceError(.notSupported, "the shared collection stays as it is")
        }
        try base.save(collection)
    }

    package func deleteCollection(_ name: String) throws(SecretServiceError) -> [ItemName] {
        guard isOwn(name), name != defaultCollection else {
            throw SecretServiceError(.notSupported, "this collection cannot be deleted")
        }
        return try base.deleteCollection(name)
    }

    // MARK: Items

    package func items(of collection: String) throws(SecretServiceError) -> [ItemName] {
        try isReached(collection) ? try base.items(of: collection) : []
    }

    package func search(
        _ attributes: [String: String],
        in collection: String?
    ) throws(SecretServiceError) -> SearchResult {
        let names = if let collection { [collection] } else { try collections().map(\.name) }
        var found = SearchResult()
        for name in names where try isReached(name) {
            let part = try base.search(attributes, in: name)
            found.unlocked += part.unlocked
            found.locked += part.locked
        }
        return found
    }

    package func item(_ name: ItemName) throws(SecretServiceError) -> StoredItem? {
        try isReached(name.collection) ? try base.item(name) : nil
    }

    package func secret(of name: ItemName) throws(SecretServiceError) -> StoredSecret {
        try requireReached(name)
        return try base.secret(of: name)
    }

    package func add(
        _ item: ItemContent,
        _ secret: StoredSecret,
        to collection: String
    ) throws(SecretServiceError) -> ItemName {
        guard try isReached(collection) else { throw .isLocked }
        let known = try base.collections().map(\.name)
        if collection == defaultCollection, !known.contains(collection) {
            try base.save(firstRecord)
        }
        return try base.add(item, secret, to: collection)
    }

    package func update(
        _ name: ItemName,
        with change: ItemChange
    ) throws(SecretServiceError) {
        try requireReached(name)
        try base.update(name, with: change)
    }

    package func delete(_ name: ItemName) throws(SecretServiceError) {
        try requireReached(name)
        try base.delete(name)
    }

    // MARK: Grants

    package func grants() throws(SecretServiceError) -> Set<String> { try base.grants() }

    package func grant(_ program: String) throws(SecretServiceError) { try base.grant(program) }
}
