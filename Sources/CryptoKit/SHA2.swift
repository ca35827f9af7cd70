import Cryptography
import Foundation
import Secrets

/// Compares in constant time; the size is no secret.
func isEqualInConstantTime(_ left: UnsafeRawBufferPointer, _ right: [UInt8]) -> Bool {
    constantTimeEquals([UInt8](left), right)
}

/// A hash of SHA256: 32 bytes.
public struct SHA256Digest: Digest {
    /// The size in bytes.
    public static var byteCount: Int { 32 }

    let bytes: [UInt8]

    /// Calls a closure with the bytes.
    public func withUnsafeBytes<R>(_ body: (UnsafeRawBufferPointer) throws -> R) rethrows -> R {
        try bytes.withUnsafeBytes(body)
    }

    /// The bytes one by one.
    public func makeIterator() -> IndexingIterator<[UInt8]> { bytes.makeIterator() }

    /// Compares in constant time.
    public static func == (left: Self, right: Self) -> Bool {
        constantTimeEquals(left.bytes, right.bytes)
    }

    /// The name of the function, and the bytes in hexadecimal.
    public var description: String {
        "SHA256 digest: " + bytes.map { String(format: "%02x", $0) }.joined()
    }
}

/// SHA-256 (FIPS 180-4).
public struct SHA256: NamedHashFunction {
    /// The kind of its hashes.
    public typealias Digest = SHA256Digest
    /// The size of its blocks in bytes.
    public static var blockByteCount: Int { 64 }
    static var function: HashFunctionName { .sha256 }

    private var state: RunningHash

    /// Begins an empty message.
    public init() { state = certain { () throws(CryptographyError) in try RunningHash(.sha256) } }

    /// Appends bytes to the message.
    public mutating func update(bufferPointer: UnsafeRawBufferPointer) {
        do throws(CryptographyError) { try state.update(bufferPointer) } catch {
            preconditionFailure("libcrypto failed: \(error)")
        }
    }

    /// The hash of the message so far.
    public func finalize() -> SHA256Digest {
        SHA256Digest(bytes: certain { () throws(CryptographyError) in try state.hash() })
    }
}

/// A hash of SHA384: 48 bytes.
public struct SHA384Digest: Digest {
    /// The size in bytes.
    public static var byteCount: Int { 48 }

    let bytes: [UInt8]

    /// Calls a closure with the bytes.
    public func withUnsafeBytes<R>(_ body: (UnsafeRawBufferPointer) throws -> R) rethrows -> R {
        try bytes.withUnsafeBytes(body)
    }

    /// The bytes one by one.
    public func makeIterator() -> IndexingIterator<[UInt8]> { bytes.makeIterator() }

    /// Compares in constant time.
    public static func == (left: Self, right: Self) -> Bool {
        constantTimeEquals(left.bytes, right.bytes)
    }

    /// The name of the function, and the bytes in hexadecimal.
    public var description: String {
        "SHA384 digest: " + bytes.map { String(format: "%02x", $0) }.joined()
    }
}

/// SHA-384 (FIPS 180-4).
public struct SHA384: NamedHashFunction {
    /// The kind of its hashes.
    public typealias Digest = SHA384Digest
    /// The size of its blocks in bytes.
    public static var blockByteCount: Int { 128 }
    static var function: HashFunctionName { .sha384 }

    private var state: RunningHash

    /// Begins an empty message.
    public init() { state = certain { () throws(CryptographyError) in try RunningHash(.sha384) } }

    /// Appends bytes to the message.
    public mutating func update(bufferPointer: UnsafeRawBufferPointer) {
        do throws(CryptographyError) { try state.update(bufferPointer) } catch {
            preconditionFailure("libcrypto failed: \(error)")
        }
    }

    /// The hash of the message so far.
    public func finalize() -> SHA384Digest {
        SHA384Digest(bytes: certain { () throws(CryptographyError) in try state.hash() })
    }
}

/// A hash of SHA512: 64 bytes.
public struct SHA512Digest: Digest {
    /// The size in bytes.
    public static var byteCount: Int { 64 }

    let bytes: [UInt8]

    /// Calls a closure with the bytes.
    public func withUnsafeBytes<R>(_ body: (UnsafeRawBufferPointer) throws -> R) rethrows -> R {
        try bytes.withUnsafeBytes(body)
    }

    /// The bytes one by one.
    public func makeIterator() -> IndexingIterator<[UInt8]> { bytes.makeIterator() }

    /// Compares in constant time.
    public static func == (left: Self, right: Self) -> Bool {
        constantTimeEquals(left.bytes, right.bytes)
    }

    /// The name of the function, and the bytes in hexadecimal.
    public var description: String {
        "SHA512 digest: " + bytes.map { String(format: "%02x", $0) }.joined()
    }
}

/// SHA-512 (FIPS 180-4).
public struct SHA512: NamedHashFunction {
    /// The kind of its hashes.
    public typealias Digest = SHA512Digest
    /// The size of its blocks in bytes.
    public static var blockByteCount: Int { 128 }
    static var function: HashFunctionName { .sha512 }

    private var state: RunningHash

    /// Begins an empty message.
    public init() { state = certain { () throws(CryptographyError) in try RunningHash(.sha512) } }

    /// Appends bytes to the message.
    public mutating func update(bufferPointer: UnsafeRawBufferPointer) {
        do throws(CryptographyError) { try state.update(bufferPointer) } catch {
            preconditionFailure("libcrypto failed: \(error)")
        }
    }

    /// The hash of the message so far.
    public func finalize() -> SHA512Digest {
        SHA512Digest(bytes: certain { () throws(CryptographyError) in try state.hash() })
    }
}
