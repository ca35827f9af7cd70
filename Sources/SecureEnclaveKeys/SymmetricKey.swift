public import Foundation
internal import Secrets

extension SecureEnclave {
    /// A key in memory that is wiped when the key ends, for example one from a shared secret.
    ///
    /// Another library can use its bytes:
    ///
    /// ```swift
    /// let sealed = try AES.GCM.seal(message, using: Crypto.SymmetricKey(data: key))
    /// ```
    public struct SymmetricKey: ContiguousBytes, Sendable, CustomStringConvertible {
        private let bytes: Secrets.SharedSecret

        init(_ bytes: consuming Secret) { self.bytes = Secrets.SharedSecret(bytes) }

        /// Creates a key from a copy of its bytes.
        public init(data: some ContiguousBytes) {
            bytes = data.withUnsafeBytes { Secrets.SharedSecret(Secret(copying: $0)) }
        }

        /// The size in bits.
        public var bitCount: Int { bytes.secret.byteCount * 8 }

        /// Calls a closure with the bytes, which are valid during the call.
        public func withUnsafeBytes<R>(_ body: (UnsafeRawBufferPointer) throws -> R) rethrows -> R {
            try bytes.secret.withUnsafeBytes { try body($0) }
        }

        /// The size, and nothing of the key.
        public var description: String { bytes.description }
    }
}

extension SecureEnclave.SymmetricKey: Equatable {
    /// Returns whether both keys are the same, in constant time.
    public static func == (left: Self, right: Self) -> Bool {
        left.bytes.secret.constantTimeEquals(right.bytes.secret)
    }
}
