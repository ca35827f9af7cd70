import Cryptography

// SHA-2. Each of its four hashes has Apple's four functions and two sizes.

// MARK: - SHA224

/// The size of a hash of SHA224 in bytes.
public let CC_SHA224_DIGEST_LENGTH: Int32 = 28
/// The size of a block of SHA224 in bytes.
public let CC_SHA224_BLOCK_BYTES: Int32 = 64

/// Begins a message for SHA-224 (FIPS 180-4).
///
/// - Returns: 1 for success.
@discardableResult
public func CC_SHA224_Init(_ c: UnsafeMutablePointer<CC_SHA256_CTX>!) -> Int32 {
    begin(c, .sha224)
}

/// Appends bytes to the message.
///
/// - Returns: 1 for success.
@discardableResult
public func CC_SHA224_Update(
    _ c: UnsafeMutablePointer<CC_SHA256_CTX>!,
    _ data: UnsafeRawPointer!,
    _ len: CC_LONG
) -> Int32 {
    append(data, len, c, .sha224)
}

/// Ends the message and writes its hash: 28 bytes.
///
/// - Returns: 1 for success.
@discardableResult
public func CC_SHA224_Final(
    _ md: UnsafeMutablePointer<UInt8>!,
    _ c: UnsafeMutablePointer<CC_SHA256_CTX>!
) -> Int32 {
    end(md, c, .sha224)
}

/// Writes the hash of a message: 28 bytes, of SHA-224 (FIPS 180-4).
///
/// - Returns: `md`, or nil without room for the hash.
@discardableResult
public func CC_SHA224(
    _ data: UnsafeRawPointer!,
    _ len: CC_LONG,
    _ md: UnsafeMutablePointer<UInt8>!
) -> UnsafeMutablePointer<UInt8>! {
    hash(data, len, md, .sha224)
}

// MARK: - SHA256

/// The size of a hash of SHA256 in bytes.
public let CC_SHA256_DIGEST_LENGTH: Int32 = 32
/// The size of a block of SHA256 in bytes.
public let CC_SHA256_BLOCK_BYTES: Int32 = 64

/// Begins a message for SHA-256 (FIPS 180-4).
///
/// - Returns: 1 for success.
@discardableResult
public func CC_SHA256_Init(_ c: UnsafeMutablePointer<CC_SHA256_CTX>!) -> Int32 {
    begin(c, .sha256)
}

/// Appends bytes to the message.
///
/// - Returns: 1 for success.
@discardableResult
public func CC_SHA256_Update(
    _ c: UnsafeMutablePointer<CC_SHA256_CTX>!,
    _ data: UnsafeRawPointer!,
    _ len: CC_LONG
) -> Int32 {
    append(data, len, c, .sha256)
}

/// Ends the message and writes its hash: 32 bytes.
///
/// - Returns: 1 for success.
@discardableResult
public func CC_SHA256_Final(
    _ md: UnsafeMutablePointer<UInt8>!,
    _ c: UnsafeMutablePointer<CC_SHA256_CTX>!
) -> Int32 {
    end(md, c, .sha256)
}

/// Writes the hash of a message: 32 bytes, of SHA-256 (FIPS 180-4).
///
/// - Returns: `md`, or nil without room for the hash.
@discardableResult
public func CC_SHA256(
    _ data: UnsafeRawPointer!,
    _ len: CC_LONG,
    _ md: UnsafeMutablePointer<UInt8>!
) -> UnsafeMutablePointer<UInt8>! {
    hash(data, len, md, .sha256)
}

// MARK: - SHA384

/// The size of a hash of SHA384 in bytes.
public let CC_SHA384_DIGEST_LENGTH: Int32 = 48
/// The size of a block of SHA384 in bytes.
public let CC_SHA384_BLOCK_BYTES: Int32 = 128

/// Begins a message for SHA-384 (FIPS 180-4).
///
/// - Returns: 1 for success.
@discardableResult
public func CC_SHA384_Init(_ c: UnsafeMutablePointer<CC_SHA512_CTX>!) -> Int32 {
    begin(c, .sha384)
}

/// Appends bytes to the message.
///
/// - Returns: 1 for success.
@discardableResult
public func CC_SHA384_Update(
    _ c: UnsafeMutablePointer<CC_SHA512_CTX>!,
    _ data: UnsafeRawPointer!,
    _ len: CC_LONG
) -> Int32 {
    append(data, len, c, .sha384)
}

/// Ends the message and writes its hash: 48 bytes.
///
/// - Returns: 1 for success.
@discardableResult
public func CC_SHA384_Final(
    _ md: UnsafeMutablePointer<UInt8>!,
    _ c: UnsafeMutablePointer<CC_SHA512_CTX>!
) -> Int32 {
    end(md, c, .sha384)
}

/// Writes the hash of a message: 48 bytes, of SHA-384 (FIPS 180-4).
///
/// - Returns: `md`, or nil without room for the hash.
@discardableResult
public func CC_SHA384(
    _ data: UnsafeRawPointer!,
    _ len: CC_LONG,
    _ md: UnsafeMutablePointer<UInt8>!
) -> UnsafeMutablePointer<UInt8>! {
    hash(data, len, md, .sha384)
}

// MARK: - SHA512

/// The size of a hash of SHA512 in bytes.
public let CC_SHA512_DIGEST_LENGTH: Int32 = 64
/// The size of a block of SHA512 in bytes.
public let CC_SHA512_BLOCK_BYTES: Int32 = 128

/// Begins a message for SHA-512 (FIPS 180-4).
///
/// - Returns: 1 for success.
@discardableResult
public func CC_SHA512_Init(_ c: UnsafeMutablePointer<CC_SHA512_CTX>!) -> Int32 {
    begin(c, .sha512)
}

/// Appends bytes to the message.
///
/// - Returns: 1 for success.
@discardableResult
public func CC_SHA512_Update(
    _ c: UnsafeMutablePointer<CC_SHA512_CTX>!,
    _ data: UnsafeRawPointer!,
    _ len: CC_LONG
) -> Int32 {
    append(data, len, c, .sha512)
}

/// Ends the message and writes its hash: 64 bytes.
///
/// - Returns: 1 for success.
@discardableResult
public func CC_SHA512_Final(
    _ md: UnsafeMutablePointer<UInt8>!,
    _ c: UnsafeMutablePointer<CC_SHA512_CTX>!
) -> Int32 {
    end(md, c, .sha512)
}

/// Writes the hash of a message: 64 bytes, of SHA-512 (FIPS 180-4).
///
/// - Returns: `md`, or nil without room for the hash.
@discardableResult
public func CC_SHA512(
    _ data: UnsafeRawPointer!,
    _ len: CC_LONG,
    _ md: UnsafeMutablePointer<UInt8>!
) -> UnsafeMutablePointer<UInt8>! {
    hash(data, len, md, .sha512)
}
