import CoreFoundation
import KeyRepresentation
import KeychainModel

/// Returns the attributes that the keychain would store with the key.
///
/// The class and the type are strings, such as `kSecAttrKeyTypeRSA`. Whether a key may sign,
/// decrypt and so on are Booleans. `kSecAttrIsPermanent` is true for every key, stored or not.
/// `kSecValueData`
/// has the bytes of a public key and of an extractable private key. A key of the secure element has
/// `kSecAttrTokenID` and `kSecAttrAccessControl`.
///
/// - Source: Apple's published Security source: SecKey.m, SecRSAKey.m, SecECKey.m and SecCTKKey.m.
@discardableResult
public func SecKeyCopyAttributes(_ key: SecKey) -> CFDictionary? {
    guard let attributes = try? key.reference.itemAttributes() else { return nil }
    let dictionary = NSMutableDictionary()
    for (attribute, value) in attributes {
        dictionary[NSString(string: attribute.rawValue)] =
            KeyReference.flags.contains(attribute)
            ? NSNumber(value: value == .number(1)) : ResultBridge.object(of: value)
    }
    dictionary[kSecAttrKeyClass] = key.isPrivate ? kSecAttrKeyClassPrivate : kSecAttrKeyClassPublic
    dictionary[kSecAttrKeyType] = NSString(string: String(key.kind.typeNumber))
    dictionary[kSecClass] = kSecClassKey
    if case .elementKey(let handle, _) = key.material {
        let control = handle.accessControl ?? AccessControl(protection: handle.protection)
        dictionary[kSecAttrAccessControl] = SecAccessControl(control)
    } else if let bytes = try? key.externalRepresentation() {
        dictionary[kSecValueData] = bytes.withUnsafeBytes { NSData(data: Data($0)) }
    }
    return dictionary
}

extension KeyParameters {
    /// Takes the caller's dictionary; nothing is checked yet.
    init(_ dictionary: CFDictionary) { self.init(DictionaryBridge.attributes(of: dictionary)) }
}
