import CoreFoundation
import KeyRepresentation
import KeychainModel

/// Returns the attributes that the keychain would store with the key.
///
/// The class and the type are strings, such as `kSecAttrKeyTypeRSA`. `kSecAttrIsPermanent` is
/// false.
public func SecKeyCopyAttributes(_ key: SecKey) -> CFDictionary? {
    guard let attributes = try? key.reference.itemAttributes() else { return nil }
    let dictionary = NSMutableDictionary()
    for (attribute, value) in attributes {
        dictionary[NSString(string: attribute.rawValue)] = ResultBridge.object(of: value)
    }
    dictionary[kSecAttrKeyClass] = key.isPrivate ? kSecAttrKeyClassPrivate : kSecAttrKeyClassPublic
    dictionary[kSecAttrKeyType] = NSString(string: String(key.kind.typeNumber))
    dictionary[kSecAttrIsPermanent] = NSNumber(value: false)
    dictionary[kSecClass] = kSecClassKey
    return dictionary
}

extension KeyParameters {
    /// Takes the caller's dictionary; nothing is checked yet.
    init(_ dictionary: CFDictionary) { self.init(DictionaryBridge.attributes(of: dictionary)) }
}
