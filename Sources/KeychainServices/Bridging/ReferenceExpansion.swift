import CoreFoundation
import KeychainModel
import Secrets

/// Turns `kSecValueRef` into the attributes and the value that it stands for.
enum ReferenceExpansion {
    /// The dictionary of an add of this key; its own attributes win, except the key's identity.
    static func adding(
        _ key: SecKey,
        to dictionary: AttributeDictionary
    ) throws(KeychainError) -> AttributeDictionary {
        var expanded = try expand(key, in: dictionary)
        expanded[Attribute.applicationLabel] = .data(try key.applicationLabel())
        expanded[QueryKey.valueData.rawValue] = .secret(
            SharedSecret(try key.storedRepresentation())
        )
        return expanded
    }

    /// The dictionary of a search for this key.
    static func finding(
        _ key: SecKey,
        in dictionary: AttributeDictionary
    ) throws(KeychainError) -> AttributeDictionary {
        let named = Set(dictionary.values.keys)
        var expanded = try expand(key, in: dictionary)
        for attribute in SecKey.usageAttributes where !named.contains(attribute.rawValue) {
            expanded.values.removeValue(forKey: attribute.rawValue)
        }
        return expanded
    }

    private static func expand(
        _ key: SecKey,
        in dictionary: AttributeDictionary
    ) throws(KeychainError) -> AttributeDictionary {
        var expanded = dictionary
        for (attribute, value) in try key.itemAttributes()
        where expanded[attribute] == nil {
            expanded[attribute] = value
        }
        if expanded[QueryKey.itemClass.rawValue] == nil {
            expanded[QueryKey.itemClass.rawValue] = .string(ItemClass.key.rawValue)
        }
        return expanded
    }
}
