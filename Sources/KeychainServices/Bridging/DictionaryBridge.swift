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

/// Turns the caller's dictionary into the engine's; judges nothing.
enum DictionaryBridge {
    static func attributes(of dictionary: CFDictionary) -> AttributeDictionary {
        bridge(dictionary).attributes
    }

    /// Looks at each entry once, as the object that it is stored as.
    static func bridge(_ dictionary: CFDictionary) -> BridgedDictionary {
        var attributes = AttributeDictionary(capacity: dictionary.count)
        var reference: AnyObject?
        for (key, stored) in zip(dictionary.allKeys, dictionary.allValues) {
            guard let name = text(key as AnyObject) else {
                attributes.foreignKeyCount += 1
                continue
            }
            let isSecret = name == QueryKey.valueData.rawValue
            if let value = known(stored as AnyObject, isSecret: isSecret) {
                attributes[name] = value
                continue
            }
            // What is none of the known classes may be stored in a box; to look it up opens that.
            let unboxed = dictionary.object(forKey: key) ?? stored
            attributes[name] = bridged(unboxed, isSecret: isSecret)
            if name == QueryKey.valueReference.rawValue { reference = unboxed as AnyObject }
        }
        return BridgedDictionary(attributes: attributes, reference: reference)
    }

    private static func bridged(_ value: Any, isSecret: Bool) -> AttributeValue {
        let object = value as AnyObject
        return known(object, isSecret: isSecret)
            ?? .unsupported(typeName: String(describing: type(of: object)))
    }

    /// The value of an object of a class that dictionaries may hold; nil for any other.
    private static func known(_ object: AnyObject, isSecret: Bool) -> AttributeValue? {
        if let text = text(object) { return .string(text) }
        switch object {
        case let data as NSData: return isSecret ? secret(data) : .data(data.byteArray)
        case let number as NSNumber: return self.number(number)
        case let date as NSDate: return .date(date.timeIntervalSinceReferenceDate)
        case let control as SecAccessControl: return .accessControl(control.value)
        case is NSNull: return .null
        case let array as NSArray: return .array(array.map { bridged($0, isSecret: false) })
        case let uuid as NSUUID: return .string(uuid.uuidString)
        case let context as any AuthenticationContext: return .authentication(context.reference)
        default: return nil
        }
    }

    /// A constant knows its Swift string; to bridge it would be to copy it letter by letter.
    private static func text(_ object: AnyObject) -> String? {
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
