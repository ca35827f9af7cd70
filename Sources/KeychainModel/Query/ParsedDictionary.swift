import Secrets

/// A dictionary whose keys are classified and whose values have the right shape.
///
/// Creating one performs the checks that all functions share, in this order: number of keys, keys
/// that are not strings, class, then each key in alphabetical order.
package struct ParsedDictionary: Sendable {
    package let itemClass: ItemClass
    /// The attributes as the caller gave them, not yet coerced.
    package var attributes: AttributeValues = [:]
    /// The keys that are neither the class nor return keys.
    package var keys: SortedEntries<QueryKey, AttributeValue> = [:]
    package var returns = ReturnShape()
    /// The families of the keys; most dictionaries have keys of few.
    private var groups: QueryKey.Groups = []
    /// Whether there is any match key, known or unknown.
    package var hasMatchKey = false
    package var reference: PersistentReference?
    /// The public key of a reference.
    package let publicKeyHash: [UInt8]?

    package init(_ dictionary: AttributeDictionary) throws(KeychainError) {
        guard dictionary.values.count + dictionary.foreignKeyCount <= QueryKey.countLimit else {
            throw KeychainError(.param, "the dictionary has more than \(QueryKey.countLimit) keys")
        }
        guard dictionary.foreignKeyCount == 0 else {
            throw KeychainError(.param, "every key of the dictionary must be a string")
        }
        let reference = try Self.persistentReference(in: dictionary)
        self.itemClass = try Self.itemClass(in: dictionary, reference: reference)
        self.reference = reference
        publicKeyHash = dictionary.publicKeyHash
        let entries = dictionary.values
        attributes = AttributeValues(minimumCapacity: entries.count)
        for place in entries.indices { try take(entries.keys[place], entries.values[place]) }
    }

    private mutating func take(_ raw: String, _ value: AttributeValue) throws(KeychainError) {
        switch KeyGrammar(raw) {
        case .attribute(let attribute): attributes[attribute] = value
        case .ignored: break
        case .unknownMatch: hasMatchKey = true
        case .malformed: throw KeychainError(.param, "unknown key \(Self.quote(raw))")
        case .key(let key, let group, let shape):
            guard ValueShape.admits(value, as: shape) else {
                throw KeychainError(.param, "\(raw) does not accept a \(value.typeName)")
            }
            guard group != .itemClass else { return }
            if group == .returns {
                returns.set(key, ValueShape.bool(value) ?? false)
                return
            }
            keys[key] = value
            groups.insert(QueryKey.Groups(group))
            hasMatchKey = hasMatchKey || group == .match
        }
    }

    /// Whether the dictionary has a key of the family, which saves checking each key.
    package func hasKey(of group: QueryKey.Group) -> Bool {
        groups.contains(QueryKey.Groups(group))
    }

    private static func persistentReference(
        in dictionary: AttributeDictionary
    ) throws(KeychainError) -> PersistentReference? {
        guard let value = dictionary[QueryKey.valuePersistentReference.rawValue] else { return nil }
        guard case .data(let bytes) = value, let found = PersistentReference(decoding: bytes) else {
            throw KeychainError(.param, "kSecValuePersistentRef is not a persistent reference")
        }
        return found
    }

    private static func itemClass(
        in dictionary: AttributeDictionary,
        reference: PersistentReference?
    ) throws(KeychainError) -> ItemClass {
        guard let value = dictionary[QueryKey.itemClass.rawValue] else {
            if let reference { return reference.itemClass }
            throw KeychainError(.param, "the dictionary has no kSecClass: add one")
        }
        guard case .string(let letters) = value, let itemClass = ItemClass(rawValue: letters) else {
            throw KeychainError(.noSuchClass, "kSecClass is not one of the item classes")
        }
        guard reference == nil || reference?.itemClass == itemClass else {
            throw KeychainError(
                .noSuchClass,
                "kSecClass and the persistent reference name different classes"
            )
        }
        return itemClass
    }

    /// Quotes a key for an error message: short, printable, never a value.
    static func quote(_ raw: String) -> String {
        let printable = raw.unicodeScalars.prefix(24).map {
            $0.isASCII && $0.value > 31 ? Character($0) : "?"
        }
        return "'" + String(printable) + "'"
    }
}
