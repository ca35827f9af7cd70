/// A query dictionary with raw keys, on its way from the public API to the engine.
///
/// Keys that are not strings are only counted: they are refused with `errSecParam`.
package struct AttributeDictionary: Sendable, Hashable, ExpressibleByDictionaryLiteral {
    /// The values by raw keys, such as `acct` or `m_Limit`.
    package var values: SortedEntries<String, AttributeValue>
    /// The number of keys in the caller's dictionary that were not strings.
    package var foreignKeyCount: Int
    /// The SHA-1 of the public key of a key or identity reference.
    ///
    /// It has no name, so that a caller's dictionary cannot set it.
    package var publicKeyHash: [UInt8]?

    /// Creates a dictionary from the entries that the bridge found.
    package init(
        _ values: SortedEntries<String, AttributeValue> = [:],
        foreignKeyCount: Int = 0
    ) {
        self.values = values
        self.foreignKeyCount = foreignKeyCount
    }

    /// Creates an empty dictionary with room for `capacity` entries.
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
