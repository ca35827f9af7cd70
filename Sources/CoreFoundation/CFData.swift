import Foundation

/// A copy of the bytes at an address.
public func CFDataCreate(
    _ allocator: CFAllocator?,
    _ bytes: UnsafePointer<UInt8>!,
    _ length: CFIndex
) -> CFData! {
    NSData(bytes: bytes, length: length)
}

/// Data over bytes that stay where they are.
///
/// The bytes are freed with the data, unless the last argument is `kCFAllocatorNull`.
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

/// The address of the bytes, valid while the data lives.
public func CFDataGetBytePtr(_ data: CFData!) -> UnsafePointer<UInt8>! {
    data.bytes.assumingMemoryBound(to: UInt8.self)
}

/// The number of bytes.
public func CFDataGetLength(_ data: CFData!) -> CFIndex {
    data.length
}
