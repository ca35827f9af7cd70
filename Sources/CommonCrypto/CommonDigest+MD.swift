import Cryptography

// MD2, MD4 and MD5, which are broken. Each has Apple's four functions and two sizes.

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
