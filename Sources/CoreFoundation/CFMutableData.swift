import Foundation

/// Returns empty data that can change.
///
/// - Parameters:
///   - allocator: unused.
///   - capacity: unused; the data grows as needed.
/// - Returns: the data.
@discardableResult
public func CFDataCreateMutable(_ allocator: CFAllocator!, _ capacity: CFIndex) -> CFMutableData! {
    NSMutableData()
}

/// Returns a copy of data.
@discardableResult
public func CFDataCreateCopy(_ allocator: CFAllocator!, _ theData: CFData!) -> CFData! {
    NSData(data: theData as Data)
}

/// Returns a copy of data that can change.
///
/// - Parameters:
///   - allocator: unused.
///   - capacity: unused; the data grows as needed.
///   - theData: the data to copy.
/// - Returns: the copy.
@discardableResult
public func CFDataCreateMutableCopy(
    _ allocator: CFAllocator!,
    _ capacity: CFIndex,
    _ theData: CFData!
) -> CFMutableData! {
    NSMutableData(data: theData as Data)
}

/// Appends a copy of the bytes at an address.
public func CFDataAppendBytes(
    _ theData: CFMutableData!,
    _ bytes: UnsafePointer<UInt8>!,
    _ length: CFIndex
) {
    guard let bytes, length > 0 else { return }
    theData.append(bytes, length: length)
}

/// Returns the address of the bytes, which is valid until the length changes.
@discardableResult
public func CFDataGetMutableBytePtr(_ theData: CFMutableData!) -> UnsafeMutablePointer<UInt8>! {
    theData.mutableBytes.assumingMemoryBound(to: UInt8.self)
}

/// Sets the number of bytes; new bytes are zero.
public func CFDataSetLength(_ theData: CFMutableData!, _ length: CFIndex) {
    theData.length = length
}

/// Appends bytes that are zero.
public func CFDataIncreaseLength(_ theData: CFMutableData!, _ extraLength: CFIndex) {
    theData.increaseLength(by: extraLength)
}

/// Replaces a part by a copy of the bytes at an address.
public func CFDataReplaceBytes(
    _ theData: CFMutableData!,
    _ range: CFRange,
    _ newBytes: UnsafePointer<UInt8>!,
    _ newLength: CFIndex
) {
    theData.replaceBytes(in: range.foundation, withBytes: newBytes, length: newLength)
}

/// Removes a part.
public func CFDataDeleteBytes(_ theData: CFMutableData!, _ range: CFRange) {
    theData.replaceBytes(in: range.foundation, withBytes: nil, length: 0)
}

/// Copies a part to an address that has room for it.
public func CFDataGetBytes(
    _ theData: CFData!,
    _ range: CFRange,
    _ buffer: UnsafeMutablePointer<UInt8>!
) {
    theData.getBytes(buffer, range: range.foundation)
}
