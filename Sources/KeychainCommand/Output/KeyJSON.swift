import KeyRepresentation
import KeychainModel

/// A key under names that speak.
enum KeyJSON {
    /// The item's attributes, class and type by name, and the public half if a reference is there.
    static func object(_ item: ItemDictionary) -> [String: JSONValue] {
        var members = ItemJSON.object(item, .key)
        if case .number(let number)? = item.attributes[.keyClass],
            let name = KeyTypeName.keyClass(number)
        {
            members["keyClass"] = .text(name)
        }
        if case .number(let number)? = item.attributes[.type],
            let name = KeyTypeName.type(number)
        {
            members["keyType"] = .text(name)
        }
        members["pem"] = publicKey(item).map(JSONValue.text)
        return members
    }

    /// The public half as a block of PEM; nil for symmetric keys and without a reference.
    static func publicKey(_ item: ItemDictionary) -> String? {
        item.reference.flatMap(KeyReference.init(stored:)).map(publicKey)
    }

    /// The public half as a block of PEM.
    static func publicKey(_ key: KeyReference) -> String {
        ByteRule.pem("PUBLIC KEY").text(of: key.publicKey.subjectPublicKeyInfo)
    }
}
