// ★ Table: the functions that hash. Each has Apple's four functions and two sizes.
import Cryptography

/// The state of MD4: plain bytes, which a program may copy.
public struct CC_MD4state_st: HashContext, Sendable {
    var state = HashState()

    /// Creates a state without a message.
    public init() {}
}

/// The state of MD4: plain bytes, which a program may copy.
public typealias CC_MD4_CTX = CC_MD4state_st

/// The state of MD5: plain bytes, which a program may copy.
public struct CC_MD5state_st: HashContext, Sendable {
    var state = HashState()

    /// Creates a state without a message.
    public init() {}
}

/// The state of MD5: plain bytes, which a program may copy.
public typealias CC_MD5_CTX = CC_MD5state_st

/// The state of SHA-1: plain bytes, which a program may copy.
public struct CC_SHA1state_st: HashContext, Sendable {
    var state = HashState()

    /// Creates a state without a message.
    public init() {}
}

/// The state of SHA-1: plain bytes, which a program may copy.
public typealias CC_SHA1_CTX = CC_SHA1state_st

/// The state of SHA-256 or SHA-224: plain bytes, which a program may copy.
public struct CC_SHA256state_st: HashContext, Sendable {
    var state = HashState()

    /// Creates a state without a message.
    public init() {}
}

/// The state of SHA-256 or SHA-224: plain bytes, which a program may copy.
public typealias CC_SHA256_CTX = CC_SHA256state_st

/// The state of SHA-512 or SHA-384: plain bytes, which a program may copy.
public struct CC_SHA512state_st: HashContext, Sendable {
    var state = HashState()

    /// Creates a state without a message.
    public init() {}
}

/// The state of SHA-512 or SHA-384: plain bytes, which a program may copy.
public typealias CC_SHA512_CTX = CC_SHA512state_st

// MARK: - MD2

/// The size of a hash of MD2 in bytes.
public let CC_MD2_DIGEST_LENGTH: Int32 = 16
/// The size of a block of MD2 in bytes.
public let CC_MD2_BLOCK_BYTES: Int32 = 16

/// The state of MD2: plain bytes, which a program may copy.
public struct CC_MD2state_st: Sendable {
    fileprivate var state = MD2State()

    /// Creates a state without a message.
    public init() {}
}

/// The state of MD2: plain bytes, which a program may copy.
public typealias CC_MD2_CTX = CC_MD2state_st

/// Begins a message for MD2 (RFC 1319), which is broken.
///
/// - Returns: 1 for success.
@available(*, deprecated, message: "Use CC_SHA256: this function is broken")
@discardableResult
public func CC_MD2_Init(_ c: UnsafeMutablePointer<CC_MD2_CTX>!) -> Int32 {
    guard let c else { return 0 }
    c.initialize(to: CC_MD2_CTX())
    return 1
}

/// Appends bytes to the message.
///
/// - Returns: 1 for success.
@available(*, deprecated, message: "Use CC_SHA256: this function is broken")
@discardableResult
public func CC_MD2_Update(
    _ c: UnsafeMutablePointer<CC_MD2_CTX>!,
    _ data: UnsafeRawPointer!,
    _ len: CC_LONG
) -> Int32 {
    guard let c else { return 0 }
    c.pointee.state.update(
        UnsafeRawBufferPointer(start: data, count: data == nil ? 0 : Int(len))
    )
    return 1
}

/// Ends the message and writes its hash: 16 bytes.
///
/// - Returns: 1 for success.
@available(*, deprecated, message: "Use CC_SHA256: this function is broken")
@discardableResult
public func CC_MD2_Final(
    _ md: UnsafeMutablePointer<UInt8>!,
    _ c: UnsafeMutablePointer<CC_MD2_CTX>!
) -> Int32 {
    guard let c, let md else { return 0 }
    c.pointee.state.finish(into: UnsafeMutableRawBufferPointer(start: md, count: 16))
    return 1
}

/// Writes the hash of a message: 16 bytes, of MD2 (RFC 1319), which is broken.
///
/// - Returns: `md`, or nil without room for the hash.
@available(*, deprecated, message: "Use CC_SHA256: this function is broken")
@discardableResult
public func CC_MD2(
    _ data: UnsafeRawPointer!,
    _ len: CC_LONG,
    _ md: UnsafeMutablePointer<UInt8>!
) -> UnsafeMutablePointer<UInt8>! {
    var context = CC_MD2_CTX()
    return CC_MD2_Update(&context, data, len) == 1 && CC_MD2_Final(md, &context) == 1 ? md : nil
}

// MARK: - MD4

/// The size of a hash of MD4 in bytes.
public let CC_MD4_DIGEST_LENGTH: Int32 = 16
/// The size of a block of MD4 in bytes.
public let CC_MD4_BLOCK_BYTES: Int32 = 64

/// Begins a message for MD4 (RFC 1320), which is broken.
///
/// - Returns: 1 for success.
@available(*, deprecated, message: "Use CC_SHA256: this function is broken")
@discardableResult
public func CC_MD4_Init(_ c: UnsafeMutablePointer<CC_MD4_CTX>!) -> Int32 {
    begin(c, .md4)
}

/// Appends bytes to the message.
///
/// - Returns: 1 for success.
@available(*, deprecated, message: "Use CC_SHA256: this function is broken")
@discardableResult
public func CC_MD4_Update(
    _ c: UnsafeMutablePointer<CC_MD4_CTX>!,
    _ data: UnsafeRawPointer!,
    _ len: CC_LONG
) -> Int32 {
    append(data, len, c, .md4)
}

/// Ends the message and writes its hash: 16 bytes.
///
/// - Returns: 1 for success.
@available(*, deprecated, message: "Use CC_SHA256: this function is broken")
@discardableResult
public func CC_MD4_Final(
    _ md: UnsafeMutablePointer<UInt8>!,
    _ c: UnsafeMutablePointer<CC_MD4_CTX>!
) -> Int32 {
    end(md, c, .md4)
}

/// Writes the hash of a message: 16 bytes, of MD4 (RFC 1320), which is broken.
///
/// - Returns: `md`, or nil without room for the hash.
@available(*, deprecated, message: "Use CC_SHA256: this function is broken")
@discardableResult
public func CC_MD4(
    _ data: UnsafeRawPointer!,
    _ len: CC_LONG,
    _ md: UnsafeMutablePointer<UInt8>!
) -> UnsafeMutablePointer<UInt8>! {
    hash(data, len, md, .md4)
}

// MARK: - MD5

/// The size of a hash of MD5 in bytes.
public let CC_MD5_DIGEST_LENGTH: Int32 = 16
/// The size of a block of MD5 in bytes.
public let CC_MD5_BLOCK_BYTES: Int32 = 64

/// Begins a message for MD5 (RFC 1321), which is broken.
///
/// - Returns: 1 for success.
@available(*, deprecated, message: "Use CC_SHA256: this function is broken")
@discardableResult
public func CC_MD5_Init(_ c: UnsafeMutablePointer<CC_MD5_CTX>!) -> Int32 {
    begin(c, .md5)
}

/// Appends bytes to the message.
///
/// - Returns: 1 for success.
@available(*, deprecated, message: "Use CC_SHA256: this function is broken")
@discardableResult
public func CC_MD5_Update(
    _ c: UnsafeMutablePointer<CC_MD5_CTX>!,
    _ data: UnsafeRawPointer!,
    _ len: CC_LONG
) -> Int32 {
    append(data, len, c, .md5)
}

/// Ends the message and writes its hash: 16 bytes.
///
/// - Returns: 1 for success.
@available(*, deprecated, message: "Use CC_SHA256: this function is broken")
@discardableResult
public func CC_MD5_Final(
    _ md: UnsafeMutablePointer<UInt8>!,
    _ c: UnsafeMutablePointer<CC_MD5_CTX>!
) -> Int32 {
    end(md, c, .md5)
}

/// Writes the hash of a message: 16 bytes, of MD5 (RFC 1321), which is broken.
///
/// - Returns: `md`, or nil without room for the hash.
@available(*, deprecated, message: "Use CC_SHA256: this function is broken")
@discardableResult
public func CC_MD5(
    _ data: UnsafeRawPointer!,
    _ len: CC_LONG,
    _ md: UnsafeMutablePointer<UInt8>!
) -> UnsafeMutablePointer<UInt8>! {
    hash(data, len, md, .md5)
}

// MARK: - SHA1

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
