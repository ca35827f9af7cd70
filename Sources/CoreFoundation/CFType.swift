import Foundation

/// A class of this package that has a Core Foundation type id of its own.
///
/// Ids below 1,000 belong to the Foundation classes of `CFGetTypeID`.
package protocol CFTypeIdentified: AnyObject {
    /// The id that `CFGetTypeID` reports for every instance.
    static var typeIdentifier: CFTypeID { get }
}

/// The ids of the bridged Foundation classes; only their difference means anything.
private enum BridgedTypeID {
    static let unknown: CFTypeID = 1
    static let string: CFTypeID = 7
    static let null: CFTypeID = 16
    static let set: CFTypeID = 17
    static let dictionary: CFTypeID = 18
    static let array: CFTypeID = 19
    static let data: CFTypeID = 20
    static let boolean: CFTypeID = 21
    static let number: CFTypeID = 22
    static let error: CFTypeID = 27
    static let url: CFTypeID = 29
    static let uuid: CFTypeID = 41
    static let date: CFTypeID = 42
}

/// Returns the type id of an object, or 1 for a class that Core Foundation does not know.
@discardableResult
public func CFGetTypeID(_ object: CFTypeRef!) -> CFTypeID {
    switch object {
    case let object as any CFTypeIdentified: type(of: object).typeIdentifier
    case is NSString: BridgedTypeID.string
    case let number as NSNumber: isBoolean(number) ? BridgedTypeID.boolean : BridgedTypeID.number
    case is NSData: BridgedTypeID.data
    case is NSDictionary: BridgedTypeID.dictionary
    case is NSArray: BridgedTypeID.array
    case is NSSet: BridgedTypeID.set
    case is NSDate: BridgedTypeID.date
    case is NSURL: BridgedTypeID.url
    case is NSUUID: BridgedTypeID.uuid
    case is NSError: BridgedTypeID.error
    case is NSNull: BridgedTypeID.null
    default: BridgedTypeID.unknown
    }
}

/// Whether the number is a Boolean: Foundation keeps one object for true and one for false.
package func isBoolean(_ number: NSNumber) -> Bool {
    number === kCFBooleanTrue || number === kCFBooleanFalse
}

/// Returns the type id of strings.
@discardableResult
public func CFStringGetTypeID() -> CFTypeID { BridgedTypeID.string }
/// Returns the type id of null.
@discardableResult
public func CFNullGetTypeID() -> CFTypeID { BridgedTypeID.null }
/// Returns the type id of sets.
@discardableResult
public func CFSetGetTypeID() -> CFTypeID { BridgedTypeID.set }
/// Returns the type id of dictionaries.
@discardableResult
public func CFDictionaryGetTypeID() -> CFTypeID { BridgedTypeID.dictionary }
/// Returns the type id of arrays.
@discardableResult
public func CFArrayGetTypeID() -> CFTypeID { BridgedTypeID.array }
/// Returns the type id of data.
@discardableResult
public func CFDataGetTypeID() -> CFTypeID { BridgedTypeID.data }
/// Returns the type id of Booleans, which differs from that of numbers.
@discardableResult
public func CFBooleanGetTypeID() -> CFTypeID { BridgedTypeID.boolean }
/// Returns the type id of numbers.
@discardableResult
public func CFNumberGetTypeID() -> CFTypeID { BridgedTypeID.number }
/// Returns the type id of errors.
@discardableResult
public func CFErrorGetTypeID() -> CFTypeID { BridgedTypeID.error }
/// Returns the type id of URLs.
@discardableResult
public func CFURLGetTypeID() -> CFTypeID { BridgedTypeID.url }
/// Returns the type id of universally unique numbers.
public func CFUUIDGetTypeID() -> CFTypeID { BridgedTypeID.uuid }
/// Returns the type id of dates.
@discardableResult
public func CFDateGetTypeID() -> CFTypeID { BridgedTypeID.date }

/// Returns whether two objects have the same value.
///
/// Objects of a class without equality are equal only if they are the same object.
@discardableResult
public func CFEqual(_ first: CFTypeRef!, _ second: CFTypeRef!) -> Bool {
    if first === second { return true }
    if let first = first as? NSObject, let second = second as? NSObject {
        return first.isEqual(second)
    }
    guard let first = first as? any Hashable, let second = second as? any Hashable else {
        return false
    }
    return AnyHashable(first) == AnyHashable(second)
}

/// Returns a hash, which is the same for objects that `CFEqual` considers equal.
@discardableResult
public func CFHash(_ object: CFTypeRef!) -> CFHashCode {
    switch object {
    case let object as NSObject: CFHashCode(bitPattern: object.hash)
    case let object as any Hashable: CFHashCode(bitPattern: AnyHashable(object).hashValue)
    case let object?: CFHashCode(bitPattern: ObjectIdentifier(object).hashValue)
    case nil: 0
    }
}
