import KeychainModel
import SecretServiceProtocol

/// Under which names an item of the Secret Service is stored.
///
/// ```swift
/// let names = StoredNames(attributes: ["service": "mail", "user": "ann"], label: "Mail")
/// names.service   // mail
/// names.account   // ann
/// ```
/// - Source: Documentation/Spec/secret-service.md, §5.
package struct StoredNames {
    /// The service of the records of `keychainctl migrate`, which are no passwords of a person:
    /// without them, `--undo` cannot bring back what was moved.
    package static let undoService = "keychain-migrate.undo"
    /// The name of the pair that says which collection an item is in.
    package static let collectionPair = ServiceLimits.reservedPrefix + "collection"
    /// The name of the pair that every item of the generic schema has, named or not.
    package static let schemaPair = ServiceLimits.reservedPrefix + "schema"

    /// `kSecAttrService`.
    package let service: String
    /// `kSecAttrAccount`, which an item of the same names makes longer.
    package let account: String

    /// ★ Table: the attributes that may name an item, the best first.
    private static let serviceNames = [
        "service", "server", "host", "domain", "application", ItemSchema.attribute,
    ]
    private static let accountNames = ["account", "username", "user", "login"]

    /// The names of an item with these attributes and this label.
    package init(attributes: [String: String], label: String) {
        var named = attributes
        if ItemSchema.isGeneric(named) { named[ItemSchema.attribute] = nil }
        service = Self.first(of: Self.serviceNames, in: named) ?? label
        account = Self.first(of: Self.accountNames, in: named) ?? ""
    }

    private static func first(of names: [String], in attributes: [String: String]) -> String? {
        names.lazy.compactMap { attributes[$0] }.first { !$0.isEmpty }
    }

    /// The bytes of the lookup pairs of an item in a collection; `login` is the shared one.
    package static func pairs(
        _ attributes: [String: String],
        in collection: String = CollectionRecord.login.name
    ) throws(KeychainError) -> [UInt8] {
        var pairs = attributes
        pairs[collectionPair] = collection
        if ItemSchema.name(in: attributes) == ItemSchema.generic {
            pairs[schemaPair] = ItemSchema.generic
        }
        return try LookupPairs(pairs).encoded
    }
}
