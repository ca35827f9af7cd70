// Core Foundation's functions that change and copy arrays, by the addresses of objects.
import Foundation

/// Inserts the object at an address in front of a position; nothing beyond the end.
public func CFArrayInsertValueAtIndex(
    _ theArray: CFMutableArray!,
    _ idx: CFIndex,
    _ value: UnsafeRawPointer!
) {
    guard let element = object(at: value), (0...theArray.count).contains(idx) else { return }
    theArray.insert(element, at: idx)
}

/// Replaces the object at a position; one behind the last appends.
public func CFArraySetValueAtIndex(
    _ theArray: CFMutableArray!,
    _ idx: CFIndex,
    _ value: UnsafeRawPointer!
) {
    guard idx != theArray.count else { return CFArrayAppendValue(theArray, value) }
    guard let element = object(at: value), (0..<theArray.count).contains(idx) else { return }
    theArray.replaceObject(at: idx, with: element)
}

/// Removes the object at a position; nothing beyond the end.
public func CFArrayRemoveValueAtIndex(_ theArray: CFMutableArray!, _ idx: CFIndex) {
    guard (0..<theArray.count).contains(idx) else { return }
    theArray.removeObject(at: idx)
}

/// Removes all objects.
public func CFArrayRemoveAllValues(_ theArray: CFMutableArray!) {
    theArray.removeAllObjects()
}

/// Returns a copy of an array.
///
/// - Parameters:
///   - allocator: unused.
///   - theArray: the array to copy.
/// - Returns: the copy, which does not change with the array.
@discardableResult
public func CFArrayCreateCopy(_ allocator: CFAllocator!, _ theArray: CFArray!) -> CFArray! {
    NSArray(array: elements(of: theArray))
}

/// Returns a copy of an array that can change.
///
/// - Parameters:
///   - allocator: unused.
///   - capacity: unused; the array grows as needed.
///   - theArray: the array to copy.
/// - Returns: the copy.
@discardableResult
public func CFArrayCreateMutableCopy(
    _ allocator: CFAllocator!,
    _ capacity: CFIndex,
    _ theArray: CFArray!
) -> CFMutableArray! {
    NSMutableArray(array: elements(of: theArray))
}

/// Returns the first position of an object that equals the one at an address, or -1.
@discardableResult
public func CFArrayGetFirstIndexOfValue(
    _ theArray: CFArray!,
    _ range: CFRange,
    _ value: UnsafeRawPointer!
) -> CFIndex {
    positions(range, in: theArray).first {
        CFArrayContainsValue(theArray, CFRangeMake($0, 1), value)
    } ?? -1
}

/// Returns how many objects of a part equal the one at an address.
@discardableResult
public func CFArrayGetCountOfValue(
    _ theArray: CFArray!,
    _ range: CFRange,
    _ value: UnsafeRawPointer!
) -> CFIndex {
    positions(range, in: theArray).count {
        CFArrayContainsValue(theArray, CFRangeMake($0, 1), value)
    }
}

private func elements(of array: CFArray?) -> [Any] {
    guard let array else { return [] }
    return (0..<array.count).map { array.object(at: $0) }
}

/// The positions of a part that the array has.
private func positions(_ range: CFRange, in array: CFArray) -> Range<Int> {
    let start = min(max(0, range.location), array.count)
    return start..<min(array.count, max(start, range.location + range.length))
}
