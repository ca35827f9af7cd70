import KeyRepresentation
import KeychainModel

/// A key under readable names.
enum KeyJSON {
    /// Returns the attributes, the names of class and type, and the public half if it has a
    /// reference.
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

    /// Returns the public half in PEM; nil for symmetric keys and without a reference.
    static func publicKey(_ item: ItemDictionary) -> String? {
        item.reference.flatMap(KeyReference.init(stored:)).map(publicKey)
    }

    /// Returns the public half in PEM.
    static func publicKey(_ key: KeyReference) -> String {
        ByteRule.pem("PUBLIC KEY").text(of: key.publicKey.subjectPublicKeyInfo)
    }
}
