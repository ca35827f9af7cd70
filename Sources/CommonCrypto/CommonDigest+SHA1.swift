import Cryptography

// SHA-1. It has Apple's four functions and two sizes.

/// The size of a hash of SHA1 in bytes.
public let CC_SHA1_DIGEST_LENGTH: Int32 = 20
/// The size of a block of SHA1 in bytes.
public let CC_SHA1_BLOCK_BYTES: Int32 = 64

/// Begins a message for SHA-1 (FIPS 180-4), which is too weak for signatures.
///
/// - Returns: 1 for success.
@discardableResult
public func CC_SHA1_Init(_ c: UnsafeMutablePointer<CC_SHA1_CTX>!) -> Int32 {
    begin(c, .sha1)
}

/// Appends bytes to the message.
///
/// - Returns: 1 for success.
@discardableResult
public func CC_SHA1_Update(
    _ c: UnsafeMutablePointer<CC_SHA1_CTX>!,
    _ data: UnsafeRawPointer!,
    _ len: CC_LONG
) -> Int32 {
    append(data, len, c, .sha1)
}

/// Ends the message and writes its hash: 20 bytes.
///
/// - Returns: 1 for success.
@discardableResult
public func CC_SHA1_Final(
    _ md: UnsafeMutablePointer<UInt8>!,
    _ c: UnsafeMutablePointer<CC_SHA1_CTX>!
) -> Int32 {
    end(md, c, .sha1)
}

/// Writes the hash of a message: 20 bytes, of SHA-1 (FIPS 180-4), which is too weak for signatures.
///
/// - Returns: `md`, or nil without room for the hash.
@discardableResult
public func CC_SHA1(
    _ data: UnsafeRawPointer!,
    _ len: CC_LONG,
    _ md: UnsafeMutablePointer<UInt8>!
) -> UnsafeMutablePointer<UInt8>! {
    hash(data, len, md, .sha1)
}
