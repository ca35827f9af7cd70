import Secrets

/// The result of a search or an add.
package enum ItemResult: Sendable {
    /// Nothing was requested, or the item lacks it.
    case nothing
    case data(SharedSecret)
    case persistentReference([UInt8])
    case dictionary(ItemDictionary)
    case reference(ReferencedItem)
    case array([ItemResult])
}

/// The dictionary form of a result.
package struct ItemDictionary: Sendable {
    package var attributes: AttributeValues = [:]
    package var data: SharedSecret?
    package var persistentReference: [UInt8]?
    /// Set if a reference was requested.
    package var itemClass: ItemClass?
    /// Set if a reference was requested and the class has one.
    package var reference: ReferencedItem?

    package init() {}
}

/// The data of a key, certificate or identity object.
package struct ReferencedItem: Sendable {
    package let itemClass: ItemClass
    package let attributes: AttributeValues
    /// The key's external representation, or the certificate's DER.
    package let data: SharedSecret
    /// The DER of an identity's certificate; nil for other classes.
    package let certificate: SharedSecret?

    package init(
        itemClass: ItemClass,
        attributes: AttributeValues,
        data: SharedSecret,
        certificate: SharedSecret? = nil
    ) {
        self.itemClass = itemClass
        self.attributes = attributes
        self.data = data
        self.certificate = certificate
    }
}
