import CoreFoundation
import Foundation
import KeychainModel
import Secrets

/// The caller's dictionary in the engine's terms, and the reference object, which the engine does
/// not know.
struct BridgedDictionary {
    var attributes: AttributeDictionary
    /// The object under `kSecValueRef`: a key, certificate or identity, or any other object.
    var reference: AnyObject?
}

extension BridgedDictionary {
    /// Adds an entry in its stored form.
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
        // An object of another class may be stored in a box, which a lookup opens.
        let unboxed = dictionary.object(forKey: key) ?? stored
        attributes[name] = DictionaryBridge.bridged(unboxed, isSecret: isSecret)
        if name == QueryKey.valueReference.rawValue { reference = unboxed as AnyObject }
    }
}

/// The conversion of the caller's dictionary to the engine's, without any validation.
enum DictionaryBridge {
    static func attributes(of dictionary: CFDictionary) -> AttributeDictionary {
        bridge(dictionary).attributes
    }

    /// Reads each entry once, as the stored object.
    static func bridge(_ dictionary: CFDictionary) -> BridgedDictionary {
        let keys = dictionary.allKeys
        var bridged = BridgedDictionary(attributes: AttributeDictionary(capacity: keys.count))
        // The closures borrow the entries, which saves a copy.
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

    /// Returns the value of an object of a supported class; nil for any other.
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

    /// Returns the Swift string of a constant without bridging, which would copy it.
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
