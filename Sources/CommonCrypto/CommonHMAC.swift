import Cryptography

/// The hash function of an authentication code, such as `kCCHmacAlgSHA256`.
public typealias CCHmacAlgorithm = UInt32

/// SHA-1.
public let kCCHmacAlgSHA1 = 0
/// MD5, which is broken.
public let kCCHmacAlgMD5 = 1
/// SHA-256.
public let kCCHmacAlgSHA256 = 2
/// SHA-384.
public let kCCHmacAlgSHA384 = 3
/// SHA-512.
public let kCCHmacAlgSHA512 = 4
/// SHA-224.
public let kCCHmacAlgSHA224 = 5

/// An unfinished authentication code: plain bytes, which a program may copy.
///
/// It contains data derived from the key. Overwrite it with `memset_s` after use.
public struct CCHmacContext: Sendable, BitwiseCopyable {
    fileprivate var inner = HashState()
    fileprivate var outer = HashState()
    fileprivate var algorithm = UInt32.max

    /// Creates a context without key and message.
    public init() {}
}

/// Begins an authentication code (RFC 2104).
///
/// - Parameters:
///   - ctx: memory for the context.
///   - algorithm: the hash function. With an unknown one, the context computes nothing.
///   - key: the key.
///   - keyLength: the size of the key in bytes.
public func CCHmacInit(
    _ ctx: UnsafeMutablePointer<CCHmacContext>!,
    _ algorithm: CCHmacAlgorithm,
    _ key: UnsafeRawPointer!,
    _ keyLength: Int
) {
    guard let ctx else { return }
    ctx.initialize(to: CCHmacContext())
    guard let function = hashFunction(algorithm) else { return }
    let bytes = UnsafeRawBufferPointer(start: key, count: key == nil ? 0 : max(0, keyLength))
    ctx.pointee.start(function, key: bytes)
    ctx.pointee.algorithm = algorithm
}

/// Appends bytes to the message.
public func CCHmacUpdate(
    _ ctx: UnsafeMutablePointer<CCHmacContext>!,
    _ data: UnsafeRawPointer!,
    _ dataLength: Int
) {
    guard let ctx, let function = hashFunction(ctx.pointee.algorithm) else { return }
    let bytes = UnsafeRawBufferPointer(start: data, count: data == nil ? 0 : max(0, dataLength))
    _ = ctx.pointee.inner.update(function, bytes)
}

/// Ends the message and writes its authentication code, which has the size of a hash.
public func CCHmacFinal(
    _ ctx: UnsafeMutablePointer<CCHmacContext>!,
    _ macOut: UnsafeMutableRawPointer!
) {
    guard let ctx, let macOut, let function = hashFunction(ctx.pointee.algorithm) else { return }
    let code = UnsafeMutableRawBufferPointer(start: macOut, count: function.byteCount)
    ctx.pointee.finish(function, into: code)
}

/// Writes the authentication code of a message, which has the size of a hash (RFC 2104).
///
/// ```swift
/// var code = [UInt8](repeating: 0, count: Int(CC_SHA256_DIGEST_LENGTH))
/// CCHmac(CCHmacAlgorithm(kCCHmacAlgSHA256), key, key.count, message, message.count, &code)
/// ```
public func CCHmac(
    _ algorithm: CCHmacAlgorithm,
    _ key: UnsafeRawPointer!,
    _ keyLength: Int,
    _ data: UnsafeRawPointer!,
    _ dataLength: Int,
    _ macOut: UnsafeMutableRawPointer!
) {
    var context = CCHmacContext()
    CCHmacInit(&context, algorithm, key, keyLength)
    CCHmacUpdate(&context, data, dataLength)
    CCHmacFinal(&context, macOut)
    overwrite(&context)
}

/// Returns the function for a number of this interface; nil for an unknown number.
func hashFunction(_ algorithm: CCHmacAlgorithm) -> HashState.Function? {
    switch Int(algorithm) {
    case kCCHmacAlgSHA1: .sha1
    case kCCHmacAlgMD5: .md5
    case kCCHmacAlgSHA256: .sha256
    case kCCHmacAlgSHA384: .sha384
    case kCCHmacAlgSHA512: .sha512
    case kCCHmacAlgSHA224: .sha224
    default: nil
    }
}

extension CCHmacContext {
    fileprivate mutating func start(_ function: HashState.Function, key: UnsafeRawBufferPointer) {
        withUnsafeTemporaryAllocation(byteCount: function.blockByteCount, alignment: 8) { block in
            block.initializeMemory(as: UInt8.self, repeating: 0)
            defer { overwrite(block) }
            if key.count <= block.count {
                block.copyMemory(from: key)
            } else {
                var state = HashState()
                _ =
                    state.start(function) && state.update(function, key)
                    && state.finish(function, into: block)
                overwrite(&state)
            }
            inner = Self.state(function, block, mask: 0x36)
            outer = Self.state(function, block, mask: 0x36 ^ 0x5C)
        }
    }

    /// Returns the state after a block, each byte of which is masked in place.
    private static func state(
        _ function: HashState.Function,
        _ block: UnsafeMutableRawBufferPointer,
        mask: UInt8
    ) -> HashState {
        for index in block.indices { block[index] ^= mask }
        var state = HashState()
        _ = state.start(function) && state.update(function, UnsafeRawBufferPointer(block))
        return state
    }

    fileprivate mutating func finish(
        _ function: HashState.Function,
        into code: UnsafeMutableRawBufferPointer
    ) {
        _ =
            inner.finish(function, into: code)
            && outer.update(function, UnsafeRawBufferPointer(code))
            && outer.finish(function, into: code)
    }
}
