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
/// The result of a C function: 0 for success, or an error code.
public typealias OSStatus = Int32
/// A duration in seconds.
public typealias CFTimeInterval = Double
/// A time as seconds since 2001-01-01 00:00:00 UTC.
public typealias CFAbsoluteTime = CFTimeInterval

/// A string.
public typealias CFString = NSString
/// A mutable string.
public typealias CFMutableString = NSMutableString
/// An array.
public typealias CFArray = NSArray
/// A mutable array.
public typealias CFMutableArray = NSMutableArray
/// A dictionary.
public typealias CFDictionary = NSDictionary
/// A mutable dictionary.
public typealias CFMutableDictionary = NSMutableDictionary
/// A set.
public typealias CFSet = NSSet
/// A sequence of bytes.
public typealias CFData = NSData
/// A mutable sequence of bytes.
public typealias CFMutableData = NSMutableData
/// A point in time.
public typealias CFDate = NSDate
/// A number.
public typealias CFNumber = NSNumber
/// A Boolean: `kCFBooleanTrue` or `kCFBooleanFalse`.
public typealias CFBoolean = NSNumber
/// The absence of a value inside a collection.
public typealias CFNull = NSNull
/// A uniform resource locator.
public typealias CFURL = NSURL
/// An error with domain, code and user info.
public typealias CFError = NSError
/// The name of the family to which an error code belongs.
public typealias CFErrorDomain = NSString

/// An out-parameter for an error; nil if the caller does not need it.
public typealias NSErrorPointer = UnsafeMutablePointer<NSError?>?

/// The status of a call that succeeded.
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

/// Returns the current time in seconds since 2001-01-01 00:00:00 UTC.
@discardableResult
public func CFAbsoluteTimeGetCurrent() -> CFAbsoluteTime {
    Date.timeIntervalSinceReferenceDate
}
