import Cryptography
import Foundation

/// Functions that no longer offer any protection, for formats that prescribe them.
public enum Insecure {
    /// A hash of SHA1: 20 bytes.
    public struct SHA1Digest: Digest {
        /// The size in bytes.
        public static var byteCount: Int { 20 }

        let bytes: ConstantTimeBytes

        /// Calls a closure with the bytes.
        public func withUnsafeBytes<R>(_ body: (UnsafeRawBufferPointer) throws -> R) rethrows -> R {
            try bytes.array.withUnsafeBytes(body)
        }
    }

    /// SHA-1 (FIPS 180-4).
    public struct SHA1: NamedHashFunction {
        /// The size of its blocks in bytes.
        public static var blockByteCount: Int { 64 }
        static var function: HashFunctionName { .sha1 }

        private var state = HashState(Self.function)

        /// Starts an empty message.
        public init() {}

        /// Appends bytes to the message.
        public mutating func update(bufferPointer: UnsafeRawBufferPointer) {
            state.update(bufferPointer)
        }

        /// Returns the hash of the message so far.
        public func finalize() -> SHA1Digest { SHA1Digest(bytes: state.hash) }
    }

    /// A hash of MD5: 16 bytes.
    public struct MD5Digest: Digest {
        /// The size in bytes.
        public static var byteCount: Int { 16 }

        let bytes: ConstantTimeBytes

        /// Calls a closure with the bytes.
        public func withUnsafeBytes<R>(_ body: (UnsafeRawBufferPointer) throws -> R) rethrows -> R {
            try bytes.array.withUnsafeBytes(body)
        }
    }

    /// MD5 (RFC 1321).
    public struct MD5: NamedHashFunction {
        /// The size of its blocks in bytes.
        public static var blockByteCount: Int { 64 }
        static var function: HashFunctionName { .md5 }

        private var state = HashState(Self.function)

        /// Starts an empty message.
        public init() {}

        /// Appends bytes to the message.
        public mutating func update(bufferPointer: UnsafeRawBufferPointer) {
            state.update(bufferPointer)
        }

        /// Returns the hash of the message so far.
        public func finalize() -> MD5Digest { MD5Digest(bytes: state.hash) }
    }
}
