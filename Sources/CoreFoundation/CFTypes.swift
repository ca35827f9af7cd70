// Core Foundation's types as the Foundation classes that are bridged to them on Apple's platforms.
// `as` conversions between Swift values and these classes work on Linux, so code written against
// the C types compiles unchanged. A module of this name shadows the toolchain's own, whose C types
// would make `CFString` ambiguous.
@_exported import Foundation

/// A reference to any Core Foundation object.
public typealias CFTypeRef = AnyObject
/// A number that names the type of a Core Foundation object within this process.
public typealias CFTypeID = UInt
/// A count or position.
public typealias CFIndex = Int
/// A set of option bits.
public typealias CFOptionFlags = UInt
/// A hash value.
public typealias CFHashCode = UInt
/// The outcome of a C function: 0 or an error code.
public typealias OSStatus = Int32
/// A span in seconds.
public typealias CFTimeInterval = Double
/// Seconds since 2001-01-01 00:00:00 UTC.
public typealias CFAbsoluteTime = CFTimeInterval

/// A string.
public typealias CFString = NSString
/// A string that can change.
public typealias CFMutableString = NSMutableString
/// An array.
public typealias CFArray = NSArray
/// An array that can change.
public typealias CFMutableArray = NSMutableArray
/// A dictionary.
public typealias CFDictionary = NSDictionary
/// A dictionary that can change.
public typealias CFMutableDictionary = NSMutableDictionary
/// A set.
public typealias CFSet = NSSet
/// Bytes.
public typealias CFData = NSData
/// Bytes that can change.
public typealias CFMutableData = NSMutableData
/// A point in time.
public typealias CFDate = NSDate
/// A number.
public typealias CFNumber = NSNumber
/// A truth value: one of `kCFBooleanTrue` and `kCFBooleanFalse`.
public typealias CFBoolean = NSNumber
/// The absence of a value inside a collection.
public typealias CFNull = NSNull
/// A uniform resource locator.
public typealias CFURL = NSURL
/// An error with domain, code and user info.
public typealias CFError = NSError
/// The name of the family an error code belongs to.
public typealias CFErrorDomain = NSString

/// An out-parameter for an error, nil when the caller does not want one.
public typealias NSErrorPointer = UnsafeMutablePointer<NSError?>?

/// The status of a call that did what was asked.
public let noErr: OSStatus = 0

/// The true value.
public let kCFBooleanTrue: CFBoolean! = NSNumber(value: true)
/// The false value.
public let kCFBooleanFalse: CFBoolean! = NSNumber(value: false)
/// The null value.
public let kCFNull: CFNull! = NSNull()

/// The `Info.plist` key of a bundle's identifier.
nonisolated(unsafe) public let kCFBundleIdentifierKey: CFString! = ConstantString(
    "CFBundleIdentifier"
)

/// The current time, in seconds since 2001-01-01 00:00:00 UTC.
public func CFAbsoluteTimeGetCurrent() -> CFAbsoluteTime {
    Date.timeIntervalSinceReferenceDate
}
