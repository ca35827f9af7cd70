import KeychainModel

extension CommandContext {
    /// Returns a query for the one item that an add of these attributes would collide with.
    func primaryKey(
        of item: AttributeDictionary,
        _ itemClass: ItemClass
    ) throws(CommandFailure) -> AttributeDictionary {
        var query: AttributeDictionary = [:]
        query[QueryKey.itemClass.rawValue] = .string(itemClass.rawValue)
        for attribute in Schema.primaryKey(of: itemClass) {
            query[attribute] = item[attribute] ?? Self.omitted(attribute, itemClass)
        }
        if query[.accessGroup] == nil {
            query[.accessGroup] = try status().defaultAccessGroup.map(AttributeValue.string)
        }
        return query
    }

    /// Returns the default value of a primary key's attribute; nil if it has none.
    private static func omitted(
        _ attribute: Attribute,
        _ itemClass: ItemClass
    ) -> AttributeValue? {
        guard let spec = Schema.spec(attribute, in: itemClass), spec.traits.contains(.defaulted)
        else { return nil }
        return Coercion.emptyValue(of: spec.kind)
    }

    /// Whether an add of this item would collide with another one.
    func hasItem(like item: AttributeDictionary) throws(CommandFailure) -> Bool {
        guard case .string(let letters)? = item[QueryKey.itemClass.rawValue],
            let itemClass = ItemClass(rawValue: letters)
        else { return false }
        do throws(CommandFailure) {
            _ = try firstItem(try primaryKey(of: item, itemClass), returning: [])
            return true
        } catch .keychain(let error) where error.status == .itemNotFound {
            return false
        }
    }
}
