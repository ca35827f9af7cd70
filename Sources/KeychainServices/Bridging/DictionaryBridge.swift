import CoreFoundation
import Foundation
import KeychainModel
import Secrets

/// Turns the caller's dictionary into the engine's; judges nothing.
enum DictionaryBridge {
    static func attributes(of dictionary: CFDictionary) -> AttributeDictionary {
        var attributes: AttributeDictionary = [:]
        for (key, stored) in zip(dictionary.allKeys, dictionary.allValues) {
            guard let key = (key as AnyObject) as? NSString else {
                attributes.foreignKeyCount += 1
                continue
            }
            let name = text(key)
            // Data is taken as it is stored: to look it up is to bridge it, byte by byte into a
            // copy of the secret that nobody wipes. Other objects may be stored in a box.
            let value = stored is NSData ? stored : dictionary.object(forKey: key) ?? stored
            attributes.values[name] = bridged(value, isSecret: name == QueryKey.valueData.rawValue)
        }
        return attributes
    }

    private static func bridged(_ value: Any, isSecret: Bool) -> AttributeValue {
        switch value as AnyObject {
        case let string as NSString: .string(text(string))
        case let data as NSData: isSecret ? secret(data) : .data([UInt8](data as Data))
        case let number as NSNumber: self.number(number)
        case let date as NSDate: .date(date.timeIntervalSinceReferenceDate)
        case let control as SecAccessControl: .accessControl(control.value)
        case let context as any AuthenticationContext: .authentication(context.reference)
        case is NSNull: .null
        case let array as NSArray: .array(array.map { bridged($0, isSecret: false) })
        case let uuid as NSUUID: .string(uuid.uuidString)
        case let object: .unsupported(typeName: String(describing: type(of: object)))
        }
    }

    private static func text(_ string: NSString) -> String { string as String }

    private static func secret(_ data: NSData) -> AttributeValue {
        let bytes = UnsafeRawBufferPointer(
            start: data.length > 0 ? data.bytes : nil,
            count: data.length
        )
        return .secret(SharedSecret(Secret(copying: bytes)))
    }

    private static func number(_ number: NSNumber) -> AttributeValue {
        if CFGetTypeID(number) == CFBooleanGetTypeID() { return .bool(number.boolValue) }
        let isFraction = ["f", "d"].contains(String(cString: number.objCType))
        return isFraction ? .real(number.doubleValue) : .number(number.int64Value)
    }
}
