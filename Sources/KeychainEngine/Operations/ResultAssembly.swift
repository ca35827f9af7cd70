import KeychainModel
import Secrets

/// Puts together what a find or an add hands back.
///
/// - Source: requirements QRY-20 to QRY-29.
enum ResultAssembly {
    static func result(
        _ item: PlainItem,
        data: SharedSecret?,
        _ returns: ReturnShape,
        forAdd: Bool
    ) -> ItemResult {
        if returns.isEmpty { return .nothing }
        guard returns.count == 1 else { return dictionary(item, data, returns, forAdd) }
        if returns.data { return data.map(ItemResult.data) ?? .nothing }
        if returns.persistentReference { return .persistentReference(reference(of: item)) }
        // Passwords have no reference type.
        if returns.reference { return .nothing }
        return dictionary(item, nil, returns, forAdd)
    }

    private static func reference(of item: PlainItem) -> [UInt8] {
        PersistentReference(itemClass: item.itemClass, uuid: item.reference).encoded
    }

    private static func dictionary(
        _ item: PlainItem,
        _ data: SharedSecret?,
        _ returns: ReturnShape,
        _ forAdd: Bool
    ) -> ItemResult {
        var dictionary = ItemDictionary()
        if returns.attributes || returns.reference {
            dictionary.attributes = attributes(of: item, forAdd: forAdd)
        }
        if returns.reference { dictionary.itemClass = item.itemClass }
        if returns.persistentReference { dictionary.persistentReference = reference(of: item) }
        dictionary.data = data
        return .dictionary(dictionary)
    }

    /// Everything that is set, with the access control that the item has or is as good as.
    private static func attributes(
        of item: PlainItem,
        forAdd: Bool
    ) -> [Attribute: AttributeValue] {
        var found: [Attribute: AttributeValue] = [:]
        for spec in Schema.specs(of: item.itemClass) {
            guard !spec.traits.contains(.hidden),
                !(forAdd && spec.traits.contains(.hiddenFromAdd)),
                let value = item[spec.attribute]
            else { continue }
            found[spec.attribute] = value
        }
        let control = item.accessControl ?? AccessControl(protection: item.protection)
        found[.accessControl] = .accessControl(control)
        return found
    }
}
