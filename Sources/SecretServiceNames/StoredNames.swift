import KeychainModel
import SecretServiceProtocol

/// The names under which an item of the Secret Service is stored.
///
/// ```swift
/// let names = StoredNames(attributes: ["service": "mail", "user": "ann"], label: "Mail")
/// names.service   // mail
/// names.account   // ann
/// ```
/// - Source: Documentation/Spec/secret-service.md, §5.
package struct StoredNames {
    /// The service of `keychainctl migrate`'s records, which are not passwords.
    ///
    /// Without them, `--undo` cannot put moved secrets back.
    package static let undoService = "keychain-migrate.undo"
    /// The name of the pair with an item's collection.
    package static let collectionPair = ServiceLimits.reservedPrefix + "collection"
    /// The name of the pair that marks an item of the generic schema.
    package static let schemaPair = ServiceLimits.reservedPrefix + "schema"

    /// The value of `kSecAttrService`.
    package let service: String
    /// The value of `kSecAttrAccount`; an item with the same names gets a longer one.
    package let account: String

    /// ★ Table: the attributes that may provide a name, the best first.
    private static let serviceNames = [
        "service", "server", "host", "domain", "application", ItemSchema.attribute,
    ]
    private static let accountNames = ["account", "username", "user", "login"]

    /// Chooses the names of an item with these attributes and this label.
    package init(attributes: [String: String], label: String) {
        var named = attributes
        if ItemSchema.isGeneric(named) { named[ItemSchema.attribute] = nil }
        service = Self.first(of: Self.serviceNames, in: named) ?? label
        account = Self.first(of: Self.accountNames, in: named) ?? ""
    }

    private static func first(of names: [String], in attributes: [String: String]) -> String? {
        names.lazy.compactMap { attributes[$0] }.first { !$0.isEmpty }
    }

    /// Returns the encoded lookup pairs of an item in a collection; `login` is the shared one.
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
