import KeychainModel
import Secrets

/// A match with whatever of it was opened.
struct FoundItem: Sendable {
    /// The item; of an identity its private key.
    var item: PlainItem
    var data: SharedSecret?
    /// Of an identity: its certificate.
    var certificate: PlainItem?
    var certificateData: SharedSecret?

    /// The value, unless it is a key that may not leave: one of the secure element, or a private
    /// key that is not extractable.
    var visibleData: SharedSecret? {
        let isElementKey = item[.tokenID] == .string(ElementKeyHandle.tokenID)
        let isKept = item[.isExtractable] == .number(0) && item[.keyClass] == .number(1)
        return item.itemClass == .key && (isElementKey || isKept) ? nil : data
    }

    /// What the caller sees as the item's class.
    var itemClass: ItemClass { certificate == nil ? item.itemClass : .identity }
}

/// Puts together what a find or an add hands back.
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

    /// nil for passwords, which have no reference type.
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
        // An add says "empty" of a value that was not given, a find does not mention it.
        if returns.data, forAdd || !found.item.hasNoValue { dictionary.data = found.visibleData }
        return .dictionary(dictionary)
    }

    /// Everything that is set, with the access control that the item has or is as good as.
    static func attributes(
        of item: PlainItem,
        forAdd: Bool
    ) -> AttributeValues {
        var columns = PlainItem.columnAttributes[...]
        let hidden = forAdd ? Schema.hiddenFromAdd(of: item.itemClass) : []
        let own = item.attributes
        var found = AttributeValues(minimumCapacity: own.count + columns.count)
        // Both come in the order of their letters, so that each entry is added at the end.
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
