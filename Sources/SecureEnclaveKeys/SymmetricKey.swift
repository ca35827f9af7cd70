public import Foundation
import Secrets

extension SecureEnclave {
    /// A key that was derived from a shared secret, in memory that is wiped.
    ///
    /// Another library takes it by its bytes, for example `Crypto.SymmetricKey(data: key)`.
    public struct SymmetricKey: ContiguousBytes, Sendable, CustomStringConvertible {
        private let bytes: Secrets.SharedSecret

        init(_ bytes: consuming Secret) { self.bytes = Secrets.SharedSecret(bytes) }

        /// Takes the bytes of a key.
        public init(data: some ContiguousBytes) {
            bytes = data.withUnsafeBytes { Secrets.SharedSecret(Secret(copying: $0)) }
        }

        /// The size in bits.
        public var bitCount: Int { bytes.secret.byteCount * 8 }

        /// Lends the bytes for the length of one call.
        public func withUnsafeBytes<R>(_ body: (UnsafeRawBufferPointer) throws -> R) rethrows -> R {
            try bytes.secret.withUnsafeBytes { try body($0) }
        }

        /// The size and nothing else.
        public var description: String { bytes.description }
    }
}

extension SecureEnclave.SymmetricKey: Equatable {
    /// Whether both are the same key; takes as long whichever bytes differ.
    public static func == (left: Self, right: Self) -> Bool {
        left.bytes.secret.constantTimeEquals(right.bytes.secret)
    }
}
