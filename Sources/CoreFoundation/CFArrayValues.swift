// Core Foundation's functions for arrays, which use the addresses of objects.
import Foundation

/// Returns the address of the object at a position, which is valid while the array has it.
///
/// ```swift
/// let first = unsafeBitCast(CFArrayGetValueAtIndex(items, 0), to: CFDictionary.self)
/// ```
///
/// - Returns: the address, or nil beyond the end.
@discardableResult
public func CFArrayGetValueAtIndex(_ theArray: CFArray!, _ idx: CFIndex) -> UnsafeRawPointer! {
    guard let theArray, idx >= 0, idx < theArray.count else { return nil }
    return LentObjects.shared.address(idx, in: theArray) { theArray.object(at: idx) as AnyObject }
}

/// Returns an array of the objects at addresses.
///
/// - Parameters:
///   - allocator: unused.
///   - values: the addresses of objects.
///   - numValues: the number of addresses.
///   - callBacks: unused; the elements are objects.
/// - Returns: the array.
@discardableResult
public func CFArrayCreate(
    _ allocator: CFAllocator!,
    _ values: UnsafeMutablePointer<UnsafeRawPointer?>!,
    _ numValues: CFIndex,
    _ callBacks: UnsafePointer<CFArrayCallBacks>!
) -> CFArray! {
    let objects = UnsafeBufferPointer(start: values, count: values == nil ? 0 : numValues)
    return NSArray(array: objects.compactMap(object))
}

/// Returns an empty mutable array.
///
/// - Parameters:
///   - allocator: unused.
///   - capacity: unused; the array grows as needed.
///   - callBacks: unused; the elements are objects.
/// - Returns: the array.
@discardableResult
public func CFArrayCreateMutable(
    _ allocator: CFAllocator!,
    _ capacity: CFIndex,
    _ callBacks: UnsafePointer<CFArrayCallBacks>!
) -> CFMutableArray! {
    NSMutableArray()
}

/// Appends the object at an address.
public func CFArrayAppendValue(_ theArray: CFMutableArray!, _ value: UnsafeRawPointer!) {
    guard let element = object(at: value) else { return }
    theArray.add(element)
}

/// Returns whether a part of the array has an object that equals the one at an address.
@discardableResult
public func CFArrayContainsValue(
    _ theArray: CFArray!,
    _ range: CFRange,
    _ value: UnsafeRawPointer!
) -> Bool {
    guard let wanted = object(at: value) else { return false }
    let end = min(theArray.count, range.location + range.length)
    return (max(0, range.location)..<max(0, range.location, end)).contains {
        CFEqual(theArray.object(at: $0) as AnyObject, wanted)
    }
}
