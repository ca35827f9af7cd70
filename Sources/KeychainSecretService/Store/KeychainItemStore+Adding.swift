import Cryptography
import KeychainMessages
import KeychainModel
import SecretServiceProtocol
import Secrets

extension KeychainItemStore {
    /// How often another account is tried for an item whose name is taken.
    private static let attemptLimit = 5

    /// ★ Table: the attributes that may name an item, the best first.
    private static let serviceNames = [
        "service", "server", "host", "domain", "application", schemaName,
    ]
    private static let accountNames = ["account", "username", "user", "login"]
    private static let schemaName = "xdg:schema"
    private static let noSchema = "org.freedesktop.Secret.Generic"

    package func add(
        _ item: ItemContent,
        _ secret: StoredSecret,
        to collection: String
    ) throws(SecretServiceError) -> ItemName {
        var entry: AttributeDictionary = [
            QueryKey.itemClass.rawValue: .string(ItemClass.genericPassword.rawValue),
            QueryKey.valueData.rawValue: .secret(secret.value),
            QueryKey.returnPersistentReference.rawValue: .bool(true),
        ]
        entry[.accessGroup] = .string(group)
        entry[.label] = .string(item.label)
        entry[.service] = .string(Self.service(of: item))
        entry[.lookupPairs] = .data(try pairs(item.attributes, in: collection))
        let description = Self.description(secret.contentType)
        if !description.isEmpty { entry[.description] = .string(description) }
        let account = Self.first(of: Self.accountNames, in: item.attributes) ?? ""
        for attempt in 1...Self.attemptLimit {
            entry[.account] = .string(attempt == 1 ? account : "\(account) #\(try suffix())")
            if let reference = try add(entry) { return name(reference, in: collection) }
        }
        throw SecretServiceError(.failed, "an item of this name exists")
    }

    /// Returns nil if an item of the same service and account exists.
    private func add(_ entry: AttributeDictionary) throws(SecretServiceError) -> [UInt8]? {
        do throws(KeychainError) {
            switch try endpoint.send(ItemRequest.add(entry)) {
            case .result(.persistentReference(let reference)): return reference
            case .result(.dictionary(let item)):
                if let reference = item.persistentReference { return reference }
                throw .unexpectedReply
            default: throw .unexpectedReply
            }
        } catch {
            guard error.status != .duplicateItem else { return nil }
            throw SecretServiceError(error)
        }
    }

    private func suffix() throws(SecretServiceError) -> String {
        do throws(CryptographyError) { return Hexadecimal.text(try random.bytes(4)) } catch {
            throw SecretServiceError(.failed, "there is no randomness")
        }
    }

    private static func service(of item: ItemContent) -> String {
        var attributes = item.attributes
        if attributes[schemaName] == noSchema { attributes[schemaName] = nil }
        return first(of: serviceNames, in: attributes) ?? item.label
    }

    private static func first(of names: [String], in attributes: [String: String]) -> String? {
        names.lazy.compactMap { attributes[$0] }.first { !$0.isEmpty }
    }

    /// The usual type is not written down.
    static func description(_ contentType: String) -> String {
        contentType == ItemDictionary.usualContentType ? "" : contentType
    }

    /// The bytes of an item's lookup pairs.
    func pairs(
        _ attributes: [String: String],
        in collection: String
    ) throws(SecretServiceError) -> [UInt8] {
        try translating { () throws(KeychainError) in
            var pairs = attributes
            pairs[Self.collectionPair] = collection
            return try LookupPairs(pairs).encoded
        }
    }
}
