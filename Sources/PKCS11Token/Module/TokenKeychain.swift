import Cryptography
import KeyRepresentation
import KeychainMessages
import KeychainModel
import Secrets
import StoredKeys

/// The keychain behind a token: the requests that its objects need.
struct TokenKeychain: Sendable {
    let connect: StoredKey.Connect

    func status() throws(ReturnCode) -> DeviceStatus {
        try fromKeychain(try currentStatus())
    }

    private func currentStatus() throws(KeychainError) -> DeviceStatus {
        guard case .status(let status) = try connect().send(DeviceRequest.status) else {
            throw .unexpectedReply
        }
        return status
    }

    /// Unlocks the keychain; checks the passcode even if nothing is locked.
    func unlock(_ passcode: SharedSecret) throws(KeychainError) {
        guard case .changed = try connect().send(DeviceRequest.unlock(passcode: passcode)) else {
            throw .unexpectedReply
        }
    }

    private func send(_ request: ItemRequest) throws(ReturnCode) -> ItemReply {
        try fromKeychain(try connect().send(request))
    }
}

// Reading.
extension TokenKeychain {
    /// The items that a listing reads for objects of each class.
    private static let listings: [(objectClass: ObjectClass, item: ItemClass, half: Int64?)] = [
        (.certificate, .certificate, nil), (.publicKey, .key, 0), (.privateKey, .key, 1),
        (.data, .genericPassword, nil),
    ]

    /// Returns the objects of a group, without those that are locked.
    ///
    /// - Parameters:
    ///   - slot: The slot of the group.
    ///   - group: The access group.
    ///   - classes: The classes of the objects to return.
    ///   - label: The label of the keys and certificates to return; nil for all.
    /// - Returns: Certificates, public keys, private keys, then data.
    /// - Throws: The reason why the keychain does not answer.
    func objects(
        in slot: UInt,
        of group: String,
        _ classes: Set<ObjectClass>,
        label: [UInt8]?
    ) throws(ReturnCode) -> [TokenObject] {
        var objects: [TokenObject] = []
        for row in Self.listings where classes.contains(row.objectClass) {
            var filter: AttributeDictionary = [:]
            filter[.accessGroup] = .string(group)
            if let half = row.half { filter[.keyClass] = .number(half) }
            if let label, row.objectClass != .data { filter[.label] = .data(label) }
            let query = AttributeDictionary.all(
                row.item,
                where: filter,
                returning: Self.returned(row.objectClass)
            )
            objects += try list(query, row.item, slot)
        }
        return objects
    }

    private static func returned(_ objectClass: ObjectClass) -> [QueryKey] {
        switch objectClass {
        case .certificate: [.returnPersistentReference, .returnData]
        case .publicKey: [.returnPersistentReference, .returnReference]
        case .privateKey, .data, .secretKey: [.returnPersistentReference]
        }
    }

    private func list(
        _ query: AttributeDictionary,
        _ itemClass: ItemClass,
        _ slot: UInt
    ) throws(ReturnCode) -> [TokenObject] {
        guard case .listing(let listing) = try send(.list(query)) else { throw .deviceError }
        let open = listing.items.compactMap { TokenObject(itemClass, $0, slot: slot) }
        return open
            + listing.outOfReach.compactMap { item in
                guard item.obstacle == .accessControl else { return nil }
                var dictionary = ItemDictionary()
                dictionary.attributes = item.attributes
                dictionary.persistentReference = item.persistentReference
                return TokenObject(itemClass, dictionary, slot: slot)
            }
    }

    /// Returns the object of an item in its current state.
    ///
    /// - Throws: `userNotLoggedIn` while the item is locked, `objectHandleInvalid` if it is gone.
    func object(
        _ item: TokenObject.StoredItem,
        _ objectClass: ObjectClass,
        in slot: UInt
    ) throws(ReturnCode) -> TokenObject {
        var query = AttributeDictionary.named(item.itemClass, item.reference)
        for key in Self.returned(objectClass) + [.returnAttributes] {
            query[key.rawValue] = .bool(true)
        }
        query[QueryKey.useAuthenticationUI.rawValue] = .string(QueryKey.Word.interfaceFail)
        guard case .result(.dictionary(let found)) = try send(.copyMatching(query)),
            let object = TokenObject(item.itemClass, found, slot: slot)
        else { throw .objectHandleInvalid }
        return object
    }

    /// The value of a password.
    func value(of item: TokenObject.StoredItem) throws(ReturnCode) -> SharedSecret {
        var query = AttributeDictionary.named(item.itemClass, item.reference)
        query[QueryKey.returnData.rawValue] = .bool(true)
        guard case .result(.data(let value)) = try send(.copyMatching(query)) else {
            throw .deviceError
        }
        return value
    }

    /// Returns the key behind an object, ready for use; may prompt the user.
    func key(
        of item: TokenObject.StoredItem,
        asking: Bool = true
    ) throws(ReturnCode) -> StoredKey {
        var query = AttributeDictionary.named(.key, item.reference)
        query[QueryKey.returnReference.rawValue] = .bool(true)
        if !asking {
            query[QueryKey.useAuthenticationUI.rawValue] = .string(QueryKey.Word.interfaceFail)
        }
        guard case .result(.reference(let found)) = try send(.copyMatching(query)),
            let key = KeyReference(stored: found)
        else { throw .keyHandleInvalid }
        return StoredKey(key, connect: connect)
    }

    /// Returns the public half of a pair: from its own item, its certificate, or its private half.
    func publicKey(
        _ hash: [UInt8],
        of item: TokenObject.StoredItem,
        in group: String
    ) throws(ReturnCode) -> PublicKey {
        var filter: AttributeDictionary = [:]
        filter[.accessGroup] = .string(group)
        filter[.keyClass] = .number(0)
        filter[.applicationLabel] = .data(hash)
        let halves = AttributeDictionary.all(.key, where: filter, returning: [.returnReference])
        if case .listing(let listing) = try send(.list(halves)),
            let half = listing.items.lazy.compactMap(\.reference).first,
            let key = KeyReference(stored: half)
        {
            return key.publicKey
        }
        return try key(of: item, asking: false).reference.publicKey
    }
}

// Writing.
extension TokenKeychain {
    /// Adds all items or none.
    ///
    /// - Returns: The persistent reference of each item.
    func add(
        _ items: [AttributeDictionary],
        to group: String
    ) throws(ReturnCode) -> [[UInt8]] {
        let own = items.map { item in
            var own = item
            own[.accessGroup] = .string(group)
            own[QueryKey.returnPersistentReference.rawValue] = .bool(true)
            return own
        }
        guard case .results(let results) = try send(.addAll(own, duplicates: .refused)) else {
            throw .deviceError
        }
        let references = results.compactMap { result -> [UInt8]? in
            if case .persistentReference(let bytes) = result { bytes } else { nil }
        }
        guard references.count == items.count else { throw .deviceError }
        return references
    }

    func update(
        _ item: TokenObject.StoredItem,
        with changes: AttributeDictionary
    ) throws(ReturnCode) {
        let query = AttributeDictionary.named(item.itemClass, item.reference)
        _ = try send(.update(query, with: changes))
    }

    func delete(_ item: TokenObject.StoredItem) throws(ReturnCode) {
        _ = try send(.delete(AttributeDictionary.named(item.itemClass, item.reference)))
    }
}
