import KeychainModel
import Secrets

/// A match, with the parts of it that were opened.
struct FoundItem: Sendable {
    /// The item; for an identity, its private key.
    var item: PlainItem
    var data: SharedSecret?
    /// The certificate of an identity; nil for other classes.
    var certificate: PlainItem?
    var certificateData: SharedSecret?

    /// The value, unless it is a key that may not leave.
    ///
    /// Such a key is one of the secure element, or a private key that is not extractable.
    var visibleData: SharedSecret? {
        let isElementKey = item[.tokenID] == .string(ElementKeyHandle.tokenID)
        let isKept = item[.isExtractable] == .number(0) && item[.keyClass] == .number(1)
        return item.itemClass == .key && (isElementKey || isKept) ? nil : data
    }

    /// The class that the caller sees.
    var itemClass: ItemClass { certificate == nil ? item.itemClass : .identity }
}

/// The assembly of the results of a search or an add.
///
/// - Source: requirements QRY-20 to QRY-29.
enum ResultAssembly {
    static func result(
        _ found: FoundItem,
        _ returns: ReturnShape,
        forAdd: Bool
    ) -> ItemResult {
        if returns.isEmpty { return .nothing }
        guard returns.count == 1 else { return dictionary(found, returns, forAdd) }
        if returns.data { return found.visibleData.map(ItemResult.data) ?? .nothing }
        if returns.persistentReference { return .persistentReference(persistentReference(found)) }
        if returns.reference { return reference(found).map(ItemResult.reference) ?? .nothing }
        return dictionary(found, returns, forAdd)
    }

    private static func persistentReference(_ found: FoundItem) -> [UInt8] {
        let row = found.certificate ?? found.item
        return PersistentReference(itemClass: found.itemClass, uuid: row.reference).encoded
    }

    /// Returns a reference; nil for passwords, which have no reference type.
    private static func reference(_ found: FoundItem) -> ReferencedItem? {
        guard found.itemClass.hasReferences, let data = found.data else { return nil }
        return ReferencedItem(
            itemClass: found.itemClass,
            attributes: attributes(of: found.item, forAdd: false),
            data: data,
            certificate: found.certificateData
        )
    }

    private static func dictionary(
        _ found: FoundItem,
        _ returns: ReturnShape,
        _ forAdd: Bool
    ) -> ItemResult {
        var dictionary = ItemDictionary()
        if returns.attributes || returns.reference {
            dictionary.attributes = attributes(of: found.item, forAdd: forAdd)
            if let certificate = found.certificate {
                dictionary.attributes.merge(attributes(of: certificate, forAdd: forAdd)) { $1 }
            }
        }
        if returns.reference {
            dictionary.itemClass = found.itemClass
            dictionary.reference = reference(found)
        }
        if returns.persistentReference {
            dictionary.persistentReference = persistentReference(found)
        }
        // For a value that was not given, an add returns empty data and a search returns none.
        if returns.data, forAdd || !found.item.hasNoValue { dictionary.data = found.visibleData }
        return .dictionary(dictionary)
    }

    /// Returns every attribute that is set, and the access control that applies.
    static func attributes(
        of item: PlainItem,
        forAdd: Bool
    ) -> AttributeValues {
        var columns = PlainItem.columnAttributes[...]
        let hidden = forAdd ? Schema.hiddenFromAdd(of: item.itemClass) : []
        let own = item.attributes
        var found = AttributeValues(minimumCapacity: own.count + columns.count)
        // Both are sorted by their letters, so each entry is appended at the end.
        for (attribute, value) in zip(own.keys, own.values) {
            while let column = columns.first, column < attribute {
                found[column] = item[columns.removeFirst()]
            }
            found[attribute] = value
        }
        for column in columns { found[column] = item[column] }
        for attribute in hidden { found.removeValue(forKey: attribute) }
        return found
    }
}
