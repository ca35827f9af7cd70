import Secrets

/// What a find or add hands back.
package enum ItemResult: Sendable {
    /// Nothing was asked for, or there is nothing of the kind.
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
    /// Present when a reference was asked for.
    package var itemClass: ItemClass?
    /// Present when a reference was asked for and the class has one.
    package var reference: ReferencedItem?

    package init() {}
}

/// All that makes a key, certificate or identity object.
package struct ReferencedItem: Sendable {
    package let itemClass: ItemClass
    package let attributes: AttributeValues
    /// The key's external representation, or the certificate's DER.
    package let data: SharedSecret
    /// Of an identity: the certificate's DER.
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
