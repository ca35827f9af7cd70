import Cryptography
import Foundation
import Secrets

/// Functions that no longer protect anything; for formats that prescribe them.
public enum Insecure {
    /// A hash of SHA1: 20 bytes.
    public struct SHA1Digest: Digest {
        /// The size in bytes.
        public static var byteCount: Int { 20 }

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
            "SHA1 digest: " + bytes.map { String(format: "%02x", $0) }.joined()
        }
    }

    /// SHA-1 (FIPS 180-4).
    public struct SHA1: NamedHashFunction {
        /// The kind of its hashes.
        public typealias Digest = SHA1Digest
        /// The size of its blocks in bytes.
        public static var blockByteCount: Int { 64 }
        static var function: HashFunctionName { .sha1 }

        private var state: RunningHash

        /// Begins an empty message.
        public init() { state = certain { () throws(CryptographyError) in try RunningHash(.sha1) } }

        /// Appends bytes to the message.
        public mutating func update(bufferPointer: UnsafeRawBufferPointer) {
            do throws(CryptographyError) { try state.update(bufferPointer) } catch {
                preconditionFailure("libcrypto failed: \(error)")
            }
        }

        /// The hash of the message so far.
        public func finalize() -> SHA1Digest {
            SHA1Digest(bytes: certain { () throws(CryptographyError) in try state.hash() })
        }
    }

    /// A hash of MD5: 16 bytes.
    public struct MD5Digest: Digest {
        /// The size in bytes.
        public static var byteCount: Int { 16 }

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
            "MD5 digest: " + bytes.map { String(format: "%02x", $0) }.joined()
        }
    }

    /// MD5 (RFC 1321).
    public struct MD5: NamedHashFunction {
        /// The kind of its hashes.
        public typealias Digest = MD5Digest
        /// The size of its blocks in bytes.
        public static var blockByteCount: Int { 64 }
        static var function: HashFunctionName { .md5 }

        private var state: RunningHash

        /// Begins an empty message.
        public init() { state = certain { () throws(CryptographyError) in try RunningHash(.md5) } }

        /// Appends bytes to the message.
        public mutating func update(bufferPointer: UnsafeRawBufferPointer) {
            do throws(CryptographyError) { try state.update(bufferPointer) } catch {
                preconditionFailure("libcrypto failed: \(error)")
            }
        }

        /// The hash of the message so far.
        public func finalize() -> MD5Digest {
            MD5Digest(bytes: certain { () throws(CryptographyError) in try state.hash() })
        }
    }
}
