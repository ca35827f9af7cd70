/// The attribute that contains an item's schema.
///
/// An item without it has the generic schema, as in gnome-keyring and libsecret. A search for that
/// schema finds the item, too.
/// - Source: Documentation/Spec/secret-service.md §5.
package enum ItemSchema {
    package static let attribute = "xdg:schema"
    package static let generic = "org.freedesktop.Secret.Generic"

    /// Returns the schema of an item with these attributes.
    package static func name(in attributes: [String: String]) -> String {
        attributes[attribute] ?? generic
    }

    /// Returns whether a search is for items of the generic schema.
    package static func isGeneric(_ search: [String: String]) -> Bool {
        search[attribute] == generic
    }
}
