/// A query dictionary by its raw keys: what travels between the front door and the engine.
///
/// Keys that are not strings are counted, not kept: they are refused with `errSecParam`.
package struct AttributeDictionary: Sendable, Hashable, ExpressibleByDictionaryLiteral {
    /// Raw key, such as `acct` or `m_Limit`, to value.
    package var values: SortedEntries<String, AttributeValue>
    /// How many keys of the caller's dictionary were not strings.
    package var foreignKeyCount: Int
    /// SHA-1 of the public key that a key or identity reference stands for.
    ///
    /// Has no name, so that no caller's dictionary can set it.
    package var publicKeyHash: [UInt8]?

    /// Takes the entries as the bridge found them.
    package init(
        _ values: SortedEntries<String, AttributeValue> = [:],
        foreignKeyCount: Int = 0
    ) {
        self.values = values
        self.foreignKeyCount = foreignKeyCount
    }

    /// Nothing yet, with room for so many entries.
    package init(capacity: Int) { self.init(SortedEntries(minimumCapacity: capacity)) }

    package init(dictionaryLiteral elements: (String, AttributeValue)...) {
        self.init(SortedEntries(elements))
    }

    package subscript(key: String) -> AttributeValue? {
        get { values[key] }
        set { values[key] = newValue }
    }

    package subscript(attribute: Attribute) -> AttributeValue? {
        get { values[attribute.rawValue] }
        set { values[attribute.rawValue] = newValue }
    }
}

extension AttributeDictionary {
    /// The item class that the dictionary names, for findings.
    package var itemName: String {
        guard case .string(let letters)? = self[QueryKey.itemClass.rawValue],
            let itemClass = ItemClass(rawValue: letters)
        else { return "item" }
        return itemClass.rawValue
    }
}
