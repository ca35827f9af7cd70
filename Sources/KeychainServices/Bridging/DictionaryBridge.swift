import CoreFoundation
import Foundation
import KeychainModel
import Secrets

/// The caller's dictionary in the engine's terms, and the object that no engine knows.
struct BridgedDictionary {
    var attributes: AttributeDictionary
    /// What stands under `kSecValueRef`: a key, certificate or identity, or anything else.
    var reference: AnyObject?
}

extension BridgedDictionary {
    /// Adds an entry as it is stored in the dictionary.
    fileprivate mutating func take(_ key: Any, _ stored: Any, from dictionary: CFDictionary) {
        guard let name = DictionaryBridge.text(key as AnyObject) else {
            attributes.foreignKeyCount += 1
            return
        }
        let isSecret = name == QueryKey.valueData.rawValue
        if let value = DictionaryBridge.known(stored as AnyObject, isSecret: isSecret) {
            attributes[name] = value
            return
        }
        // What is none of the known classes may be stored in a box; to look it up opens that.
        let unboxed = dictionary.object(forKey: key) ?? stored
        attributes[name] = DictionaryBridge.bridged(unboxed, isSecret: isSecret)
        if name == QueryKey.valueReference.rawValue { reference = unboxed as AnyObject }
    }
}

/// Turns the caller's dictionary into the engine's; judges nothing.
enum DictionaryBridge {
    static func attributes(of dictionary: CFDictionary) -> AttributeDictionary {
        bridge(dictionary).attributes
    }

    /// Looks at each entry once, as the object that it is stored as.
    static func bridge(_ dictionary: CFDictionary) -> BridgedDictionary {
        let keys = dictionary.allKeys
        var bridged = BridgedDictionary(attributes: AttributeDictionary(capacity: keys.count))
        // Lent to the closures, entries are not copied once more.
        keys.withUnsafeBufferPointer { keys in
            dictionary.allValues.withUnsafeBufferPointer { values in
                for place in keys.indices {
                    bridged.take(keys[place], values[place], from: dictionary)
                }
            }
        }
        return bridged
    }

    fileprivate static func bridged(_ value: Any, isSecret: Bool) -> AttributeValue {
        let object = value as AnyObject
        return known(object, isSecret: isSecret)
            ?? .unsupported(typeName: String(describing: type(of: object)))
    }

    /// The value of an object of a class that dictionaries may hold; nil for any other.
    fileprivate static func known(_ object: AnyObject, isSecret: Bool) -> AttributeValue? {
        if let text = text(object) { return .string(text) }
        switch object {
        case let data as NSData: return isSecret ? secret(data) : .data(data.byteArray)
        case let number as NSNumber: return self.number(number)
        case let date as NSDate: return .date(date.timeIntervalSinceReferenceDate)
        case let control as SecAccessControl: return .accessControl(control.value)
        case let policy as SecPolicy: return .policy(policy.value)
        case is NSNull: return .null
        case let array as NSArray: return .array(array.map { bridged($0, isSecret: false) })
        case let uuid as NSUUID: return .string(uuid.uuidString)
        case let context as any AuthenticationContext: return .authentication(context.reference)
        default: return nil
        }
    }

    /// A constant knows its Swift string; to bridge it would be to copy it letter by letter.
    fileprivate static func text(_ object: AnyObject) -> String? {
        if let constant = object as? ConstantString { return constant.text }
        return (object as? NSString).map { $0 as String }
    }

    private static func secret(_ data: NSData) -> AttributeValue {
        let bytes = UnsafeRawBufferPointer(
            start: data.length > 0 ? data.bytes : nil,
            count: data.length
        )
        return .secret(SharedSecret(Secret(copying: bytes)))
    }

    private static func number(_ number: NSNumber) -> AttributeValue {
        if isBoolean(number) { return .bool(number.boolValue) }
        let kind = UInt8(bitPattern: number.objCType.pointee)
        let isFraction = kind == UInt8(ascii: "f") || kind == UInt8(ascii: "d")
        return isFraction ? .real(number.doubleValue) : .number(number.int64Value)
    }
}
