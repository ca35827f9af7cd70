import Foundation

/// Returns data with a copy of the bytes at an address.
@discardableResult
public func CFDataCreate(
    _ allocator: CFAllocator?,
    _ bytes: UnsafePointer<UInt8>!,
    _ length: CFIndex
) -> CFData! {
    NSData(bytes: bytes, length: length)
}

/// Returns data that uses the caller's bytes without a copy.
///
/// The data frees the bytes with `free` when it ends, unless the last argument is
/// `kCFAllocatorNull`.
@discardableResult
public func CFDataCreateWithBytesNoCopy(
    _ allocator: CFAllocator?,
    _ bytes: UnsafePointer<UInt8>!,
    _ length: CFIndex,
    _ bytesDeallocator: CFAllocator?
) -> CFData! {
    let address = UnsafeMutableRawPointer(mutating: bytes)
    guard let address else { return NSData() }
    let frees = bytesDeallocator?.frees ?? true
    return NSData(bytesNoCopy: address, length: length, freeWhenDone: frees)
}

/// Returns the address of the bytes, which is valid while the data exists.
@discardableResult
public func CFDataGetBytePtr(_ data: CFData!) -> UnsafePointer<UInt8>! {
    data.bytes.assumingMemoryBound(to: UInt8.self)
}

/// Returns the number of bytes.
@discardableResult
public func CFDataGetLength(_ data: CFData!) -> CFIndex {
    data.length
}
