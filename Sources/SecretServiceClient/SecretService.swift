import Foundation
import KeychainMigration

/// A program that stores the desktop's passwords and implements the Secret Service API.
///
/// - Source: freedesktop.org, Secret Storage Specification 0.2.
package protocol SecretService: Sendable {
    /// Returns all items without values; opens locked collections if the user agrees.
    func listing() throws(SourceFailure) -> SecretServiceListing
    /// Returns the current item at a path; nil if there is none.
    func item(at path: String) throws(SourceFailure) -> SecretServiceItem?
    /// Returns the value of the item at a path.
    func value(at path: String) throws(SourceFailure) -> SecretServiceValue
    /// Deletes only the item at a path.
    func delete(_ path: String) throws(SourceFailure)
    /// Creates an item in the collection at a path, without replacing another.
    ///
    /// - Returns: The path of the new item.
    func create(
        _ item: SecretServiceItem,
        _ value: SecretServiceValue
    ) throws(SourceFailure) -> String
    /// Replaces the value of the item at a path.
    func replace(_ path: String, with value: SecretServiceValue) throws(SourceFailure)
}

/// The contents of a Secret Service.
package struct SecretServiceListing: Sendable, Codable {
    /// The items of the collections that are open.
    package var items: [SecretServiceItem] = []
    /// The labels of the collections that stayed locked.
    package var lockedCollections: [String] = []

    package init() {}
}

/// An item of a Secret Service without its value.
package struct SecretServiceItem: Sendable, Codable {
    /// The object path, which no two items share.
    package let path: String
    /// The object path of its collection.
    package let collection: String
    package let label: String
    /// The attributes by name; `xdg:schema` is the schema.
    package let attributes: [String: String]

    package init(path: String, collection: String, label: String, attributes: [String: String]) {
        self.path = path
        self.collection = collection
        self.label = label
        self.attributes = attributes
    }
}

extension SecretServiceItem {
    private static let schemaName = "xdg:schema"

    /// The schema that means that there is none.
    package static let noSchema = "org.freedesktop.Secret.Generic"

    /// The schema; nil for an item without one, such as an item of `secret-tool`.
    package var schema: String? {
        let schema = attributes[Self.schemaName]
        return schema == Self.noSchema ? nil : schema
    }

    /// The attributes without the schema.
    package var ownAttributes: [String: String] { attributes.filter { $0.key != Self.schemaName } }

    /// Whether both items have the same schema and the same other attributes.
    ///
    /// gnome-keyring gives an item without a schema the generic one when it reads its file again.
    package func hasAttributes(of other: SecretServiceItem) -> Bool {
        schema == other.schema && ownAttributes == other.ownAttributes
    }
}

/// The value of an item, which may be any bytes.
package struct SecretServiceValue: Sendable {
    package let secret: SecretBytes
    /// The content type from the program that made the item, such as `text/plain`.
    package let contentType: String

    package init(_ secret: SecretBytes, contentType: String = "text/plain") {
        self.secret = secret
        self.contentType = contentType
    }
}

extension SecretServiceValue: Codable {
    private enum CodingKeys: CodingKey { case bytes, contentType }

    package init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: CodingKeys.self)
        self.init(
            SecretBytes(try fields.decode(Data.self, forKey: .bytes)),
            contentType: try fields.decode(String.self, forKey: .contentType)
        )
    }

    package func encode(to encoder: any Encoder) throws {
        var fields = encoder.container(keyedBy: CodingKeys.self)
        try fields.encode(secret.copyBytesUnprotected(), forKey: .bytes)
        try fields.encode(contentType, forKey: .contentType)
    }
}
