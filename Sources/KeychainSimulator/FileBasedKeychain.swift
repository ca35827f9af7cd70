import KeychainMessages
import KeychainModel

/// The older of a Mac's two keychains, as `SecItem` calls see it.
///
/// It has neither access groups nor protection classes: every program of the Mac may read every
/// item, locked or not. This type stores its items in one access group of the data protection
/// keychain. No program can be entitled to that group, and its items open from the first unlock.
/// - Source: requirements MAC-01 to MAC-09, MAC-12, MAC-13, QRY-15;
/// contradiction `mac-keychains`.
struct FileBasedKeychain {
    /// An access group that no program can have, because those start with a team or with `group.`.
    private static let group = "*file-based keychain"
    private static let protection = ProtectionClass.afterFirstUnlock
    /// The attributes that this keychain ignores.
    private static let ignored = [Attribute.accessGroup.rawValue, Attribute.accessible.rawValue]
    private static let dataProtection = "nleg"

    let profiles: Profiles
    let canPrompt: Bool

    /// The caller that stands for every program of the Mac.
    var caller: Caller {
        Caller(
            entitlements: Entitlements(
                applicationIdentifier: nil,
                keychainAccessGroups: [Self.group],
                applicationGroups: []
            ),
            system: profiles.system,
            canPrompt: canPrompt
        )
    }

    /// Whether the profile's Mac has both keychains.
    var isThere: Bool {
        profiles.system.hasFileBasedKeychain && profiles.behavior.macOSKeychains == .both
    }

    /// Whether a request is for this keychain: it neither names the other one, nor needs a feature
    /// that only the other one has.
    func isMeant(by request: Request) -> Bool {
        guard isThere, let dictionaries = request.dictionaries else { return false }
        return dictionaries.allSatisfy(isMeant)
    }

    /// Whether a request names the data protection keychain.
    static func namesDataProtection(_ request: Request) -> Bool {
        request.dictionaries?.contains { isSet(dataProtection, in: $0) } ?? false
    }

    private func isMeant(by dictionary: AttributeDictionary) -> Bool {
        !Self.isSet(Self.dataProtection, in: dictionary)
            && !Self.isSet(Attribute.synchronizable.rawValue, in: dictionary)
    }

    /// Whether a key is set to any value but false and 0.
    ///
    /// `kSecAttrSynchronizableAny` also selects the other keychain.
    private static func isSet(_ key: String, in dictionary: AttributeDictionary) -> Bool {
        switch dictionary[key] {
        case nil, .null?, .bool(false)?, .number(0)?: false
        default: true
        }
    }
}

// Execution of requests.
extension FileBasedKeychain {
    /// Performs a request for this keychain.
    ///
    /// - Throws: `errSecParam` for an access control, a key of the secure element, and the values
    ///   of several passwords at once; otherwise the engine's error.
    func perform(
        _ request: Request,
        _ send: (Request) throws(KeychainError) -> Reply
    ) throws(KeychainError) -> Reply {
        switch request {
        case .items(let request):
            return .items(
                try perform(request) { request throws(KeychainError) in
                    guard case .items(let reply) = try send(.items(request)) else {
                        throw .unexpectedReply
                    }
                    return reply
                }
            )
        case .elementKey(.make):
            throw KeychainError(.param, "the file-based keychain has no secure element")
        case .elementKey(.check), .elementKey(.use), .authenticate, .device, .maintenance,
            .fileKeys, .synchronization:
            return try send(request)
        }
    }

    private func perform(
        _ request: ItemRequest,
        _ send: (ItemRequest) throws(KeychainError) -> ItemReply
    ) throws(KeychainError) -> ItemReply {
        switch request {
        case .add(let dictionary):
            return try send(.add(try stored(dictionary))).withoutProtection
        case .addAll(let dictionaries, let duplicates):
            var stored: [AttributeDictionary] = []
            for dictionary in dictionaries { stored.append(try self.stored(dictionary)) }
            return try send(.addAll(stored, duplicates: duplicates)).withoutProtection
        case .copyMatching(let dictionary):
            return try send(.copyMatching(try searched(dictionary))).withoutProtection
        case .update(let dictionary, let changes):
            return try send(.update(try known(dictionary), with: try known(changes)))
        case .delete(let dictionary): return try delete(dictionary, send)
        case .list, .replaceAccessControl: return try send(request)
        }
    }

    /// Returns a dictionary without the attributes that this keychain ignores.
    private func known(
        _ dictionary: AttributeDictionary
    ) throws(KeychainError) -> AttributeDictionary {
        guard dictionary[Attribute.accessControl] == nil else {
            let reason = "the file-based keychain has no access control"
            throw KeychainError(.param, reason)
        }
        var known = dictionary
        for key in Self.ignored { known[key] = nil }
        guard case .string(let letters)? = dictionary[QueryKey.itemClass.rawValue],
            let itemClass = ItemClass(rawValue: letters)
        else { return known }
        for key in dictionary.values.keys where key.utf8.count == 4 {
            let isKnown = Schema.spec(Attribute(rawValue: key), in: itemClass) != nil
            if !isKnown, key != Self.dataProtection { known[key] = nil }
        }
        return known
    }

    private func stored(
        _ dictionary: AttributeDictionary
    ) throws(KeychainError) -> AttributeDictionary {
        var stored = try known(dictionary)
        stored[.accessible] = .string(Self.protection.code)
        return stored
    }

    private func searched(
        _ dictionary: AttributeDictionary
    ) throws(KeychainError) -> AttributeDictionary {
        var searched = try known(dictionary)
        let limit = QueryKey.matchLimit.rawValue
        if searched[limit] == nil, profiles.behavior.fileBasedMatchLimit == .all {
            searched[limit] = .string(QueryKey.Word.limitAll)
        }
        let wantsData = Self.isSet(QueryKey.returnData.rawValue, in: searched)
        let wantsAll = searched[limit].map { $0 != .string(QueryKey.Word.limitOne) } ?? false
        guard !(wantsData && wantsAll && searched.namesPassword) else {
            let reason =
                "the file-based keychain returns the values of several passwords one by one"
            throw KeychainError(.param, reason)
        }
        return searched
    }

    /// Deletes one match, unless the limit allows more.
    ///
    /// Finds the items first, then deletes them by reference.
    private func delete(
        _ dictionary: AttributeDictionary,
        _ send: (ItemRequest) throws(KeychainError) -> ItemReply
    ) throws(KeychainError) -> ItemReply {
        var search = try known(dictionary)
        search[QueryKey.returnPersistentReference.rawValue] = .bool(true)
        for key in [QueryKey.returnData, .returnAttributes, .returnReference, .valueData] {
            search[key.rawValue] = nil
        }
        guard case .result(let found) = try send(.copyMatching(search)) else { return .done }
        for reference in found.persistentReferences {
            _ = try send(
                .delete([QueryKey.valuePersistentReference.rawValue: .data(reference)])
            )
        }
        return .done
    }
}

extension AttributeDictionary {
    fileprivate var namesPassword: Bool {
        let classes = [ItemClass.genericPassword, .internetPassword].map(\.rawValue)
        return classes.contains { self[QueryKey.itemClass.rawValue] == .string($0) }
    }
}

extension ItemResult {
    fileprivate var persistentReferences: [[UInt8]] {
        switch self {
        case .persistentReference(let reference): [reference]
        case .array(let results): results.flatMap(\.persistentReferences)
        case .nothing, .data, .dictionary, .reference: []
        }
    }

    /// The result without the attributes that this keychain does not have.
    fileprivate var withoutProtection: ItemResult {
        switch self {
        case .array(let results): return .array(results.map(\.withoutProtection))
        case .dictionary(var dictionary):
            for attribute in [Attribute.accessGroup, .accessible, .accessControl] {
                dictionary.attributes[attribute] = nil
            }
            return .dictionary(dictionary)
        case .nothing, .data, .persistentReference, .reference: return self
        }
    }
}

extension ItemReply {
    fileprivate var withoutProtection: ItemReply {
        switch self {
        case .result(let result): .result(result.withoutProtection)
        case .results(let results): .results(results.map(\.withoutProtection))
        case .done, .earlierValueStays, .listing: self
        }
    }
}

extension Request {
    /// The dictionaries of the request; nil if it means the same to both of a Mac's keychains.
    fileprivate var dictionaries: [AttributeDictionary]? {
        switch self {
        case .items(.add(let dictionary)), .items(.copyMatching(let dictionary)),
            .items(.delete(let dictionary)), .items(.update(let dictionary, _)),
            .elementKey(.make(let dictionary, _, _)):
            [dictionary]
        case .items(.addAll(let dictionaries, _)): dictionaries
        case .items(.list), .items(.replaceAccessControl), .elementKey(.check), .elementKey(.use),
            .authenticate, .device, .maintenance, .fileKeys, .synchronization:
            nil
        }
    }
}

extension SimulatedDevice {
    /// Returns the names in a Mac's file-based keychain: each item's label, or else its account.
    ///
    /// The listing contains passwords only, and no items of the data protection keychain.
    /// - Source: Apple's TN3137, "On Mac keychain APIs and implementations".
    public func fileBasedKeychainListing() -> [String] {
        let files = FileBasedKeychain(profiles: engine.profiles, canPrompt: false)
        guard files.isThere else { return [] }
        return [ItemClass.genericPassword, .internetPassword].flatMap { itemClass in
            let query: AttributeDictionary = [
                QueryKey.itemClass.rawValue: .string(itemClass.rawValue),
                QueryKey.matchLimit.rawValue: .string(QueryKey.Word.limitAll),
                QueryKey.returnAttributes.rawValue: .bool(true),
            ]
            let reply = try? engine.perform(.items(.copyMatching(query)), from: files.caller)
            guard case .items(.result(.array(let items)))? = reply else { return [String]() }
            return items.compactMap(\.displayName)
        }
    }
}

extension ItemResult {
    fileprivate var displayName: String? {
        guard case .dictionary(let item) = self else { return nil }
        for attribute in [Attribute.label, .account] {
            if case .string(let text)? = item.attributes[attribute], !text.isEmpty { return text }
        }
        return nil
    }
}
