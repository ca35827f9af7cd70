import Foundation

/// A number that nothing else has (RFC 9562).
public typealias CFUUID = NSUUID

/// Returns a new random number.
@discardableResult
public func CFUUIDCreate(_ alloc: CFAllocator!) -> CFUUID! { NSUUID() }

/// Returns the number in its text form, with capital letters.
public func CFUUIDCreateString(_ alloc: CFAllocator!, _ uuid: CFUUID!) -> CFString! {
    NSString(string: uuid.uuidString)
}

/// Returns the number of a text, or nil for a text of another form.
@discardableResult
public func CFUUIDCreateFromString(_ alloc: CFAllocator!, _ uuidStr: CFString!) -> CFUUID! {
    NSUUID(uuidString: uuidStr as String)
}
