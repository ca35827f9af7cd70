/// The attribute that names an item's schema.
///
/// An item without one has the generic schema, as gnome-keyring and libsecret have it: a search for
/// that schema finds the item, too.
/// - Source: Documentation/Spec/secret-service.md §5.
package enum ItemSchema {
    package static let attribute = "xdg:schema"
    package static let generic = "org.freedesktop.Secret.Generic"

    /// Returns the schema of an item with these attributes.
    package static func name(in attributes: [String: String]) -> String {
        attributes[attribute] ?? generic
    }

    /// Returns whether a search asks for items of the generic schema.
    package static func isGeneric(_ search: [String: String]) -> Bool {
        search[attribute] == generic
    }
}
