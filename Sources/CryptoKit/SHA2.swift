import Cryptography
import Foundation

/// A hash of SHA256: 32 bytes.
public struct SHA256Digest: Digest {
    /// The size in bytes.
    public static var byteCount: Int { 32 }

    let bytes: ConstantTimeBytes

    /// Calls a closure with the bytes.
    public func withUnsafeBytes<R>(_ body: (UnsafeRawBufferPointer) throws -> R) rethrows -> R {
        try bytes.array.withUnsafeBytes(body)
    }
}

/// SHA-256 (FIPS 180-4).
public struct SHA256: NamedHashFunction {
    /// The size of its blocks in bytes.
    public static var blockByteCount: Int { 64 }
    static var function: HashFunctionName { .sha256 }

    private var state = HashState(Self.function)

    /// Starts an empty message.
    public init() {}

    /// Appends bytes to the message.
    public mutating func update(bufferPointer: UnsafeRawBufferPointer) {
        state.update(bufferPointer)
    }

    /// Returns the hash of the message so far.
    public func finalize() -> SHA256Digest { SHA256Digest(bytes: state.hash) }
}

/// A hash of SHA384: 48 bytes.
public struct SHA384Digest: Digest {
    /// The size in bytes.
    public static var byteCount: Int { 48 }

    let bytes: ConstantTimeBytes

    /// Calls a closure with the bytes.
    public func withUnsafeBytes<R>(_ body: (UnsafeRawBufferPointer) throws -> R) rethrows -> R {
        try bytes.array.withUnsafeBytes(body)
    }
}

/// SHA-384 (FIPS 180-4).
public struct SHA384: NamedHashFunction {
    /// The size of its blocks in bytes.
    public static var blockByteCount: Int { 128 }
    static var function: HashFunctionName { .sha384 }

    private var state = HashState(Self.function)

    /// Starts an empty message.
    public init() {}

    /// Appends bytes to the message.
    public mutating func update(bufferPointer: UnsafeRawBufferPointer) {
        state.update(bufferPointer)
    }

    /// Returns the hash of the message so far.
    public func finalize() -> SHA384Digest { SHA384Digest(bytes: state.hash) }
}

/// A hash of SHA512: 64 bytes.
public struct SHA512Digest: Digest {
    /// The size in bytes.
    public static var byteCount: Int { 64 }

    let bytes: ConstantTimeBytes

    /// Calls a closure with the bytes.
    public func withUnsafeBytes<R>(_ body: (UnsafeRawBufferPointer) throws -> R) rethrows -> R {
        try bytes.array.withUnsafeBytes(body)
    }
}

/// SHA-512 (FIPS 180-4).
public struct SHA512: NamedHashFunction {
    /// The size of its blocks in bytes.
    public static var blockByteCount: Int { 128 }
    static var function: HashFunctionName { .sha512 }

    private var state = HashState(Self.function)

    /// Starts an empty message.
    public init() {}

    /// Appends bytes to the message.
    public mutating func update(bufferPointer: UnsafeRawBufferPointer) {
        state.update(bufferPointer)
    }

    /// Returns the hash of the message so far.
    public func finalize() -> SHA512Digest { SHA512Digest(bytes: state.hash) }
}
