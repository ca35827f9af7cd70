import CoreFoundation
import KeychainModel
import Secrets

/// Makes requests of the caller's dictionaries: references become what they stand for.
///
/// - Source: requirements KEY-08, CRT-02, CRT-14.
enum RequestBridge {
    static func add(_ dictionary: CFDictionary) throws(KeychainError) -> Request {
        let attributes = DictionaryBridge.attributes(of: dictionary)
        switch dictionary.valueReference {
        case let key as SecKey:
            return .add(try ReferenceExpansion.adding(key, to: attributes.withoutReference))
        default: return .add(attributes)
        }
    }

    static func copyMatching(_ dictionary: CFDictionary) throws(KeychainError) -> Request {
        .copyMatching(try search(dictionary))
    }

    static func update(
        _ dictionary: CFDictionary,
        with changes: CFDictionary
    ) throws(KeychainError) -> Request {
        .update(try search(dictionary), with: DictionaryBridge.attributes(of: changes))
    }

    static func delete(_ dictionary: CFDictionary) throws(KeychainError) -> Request {
        .delete(try search(dictionary))
    }

    private static func search(
        _ dictionary: CFDictionary
    ) throws(KeychainError) -> AttributeDictionary {
        let attributes = DictionaryBridge.attributes(of: dictionary)
        switch dictionary.valueReference {
        case let key as SecKey:
            return try ReferenceExpansion.finding(key, in: attributes.withoutReference)
        default: return attributes
        }
    }
}

extension NSDictionary {
    /// The object under `kSecValueRef`.
    fileprivate var valueReference: AnyObject? { self[kSecValueRef].map { $0 as AnyObject } }
}

extension AttributeDictionary {
    /// Without the reference, once it is replaced by what it stands for.
    fileprivate var withoutReference: AttributeDictionary {
        var others = self
        others.values.removeValue(forKey: QueryKey.valueReference.rawValue)
        return others
    }
}
