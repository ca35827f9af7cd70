import Cryptography
public import Foundation
import Secrets

extension SecureEnclave {
    /// What two keys agree on: the x coordinate of a point, to derive keys from.
    public struct SharedSecret: ContiguousBytes, Sendable, CustomStringConvertible {
        private let bytes: Secrets.SharedSecret

        init(_ bytes: Secrets.SharedSecret) { self.bytes = bytes }

        /// Lends the 32 bytes for the length of one call.
        public func withUnsafeBytes<R>(_ body: (UnsafeRawBufferPointer) throws -> R) rethrows -> R {
            try bytes.secret.withUnsafeBytes { try body($0) }
        }

        /// The size and nothing else.
        public var description: String { bytes.description }

        /// Derives a key by HKDF (RFC 5869).
        ///
        /// - Parameters:
        ///   - hashFunction: The hash function, such as `SecureEnclave.SHA256.self`.
        ///   - salt: Any bytes.
        ///   - sharedInfo: Bytes that both sides know, such as what the key is for.
        ///   - outputByteCount: 1 to 255 hashes; any other size ends the program, as in CryptoKit.
        /// - Returns: The key.
        public func hkdfDerivedSymmetricKey<H: KeyDerivationHash>(
            using hashFunction: H.Type,
            salt: some DataProtocol,
            sharedInfo: some DataProtocol,
            outputByteCount: Int
        ) -> SymmetricKey {
            derived { () throws(CryptographyError) in
                try HKDF.deriveKey(
                    from: bytes.secret,
                    salt: [UInt8](salt),
                    info: [UInt8](sharedInfo),
                    byteCount: outputByteCount,
                    hash: hashFunction.keyDerivationHash.algorithm
                )
            }
        }

        /// Derives a key as X9.63 has it.
        ///
        /// - Parameters:
        ///   - hashFunction: The hash function, such as `SecureEnclave.SHA256.self`.
        ///   - sharedInfo: Bytes that both sides know, at most 1 MiB.
        ///   - outputByteCount: 1 byte to 1 MiB; any other size ends the program, as in CryptoKit.
        /// - Returns: The key.
        public func x963DerivedSymmetricKey<H: KeyDerivationHash>(
            using hashFunction: H.Type,
            sharedInfo: some DataProtocol,
            outputByteCount: Int
        ) -> SymmetricKey {
            derived { () throws(CryptographyError) in
                try X963KDF.deriveKey(
                    from: bytes.secret,
                    sharedInfo: [UInt8](sharedInfo),
                    byteCount: outputByteCount,
                    hash: hashFunction.keyDerivationHash.algorithm
                )
            }
        }

        private func derived(
            _ body: () throws(CryptographyError) -> Secret
        ) -> SymmetricKey {
            do throws(CryptographyError) { return SymmetricKey(try body()) } catch {
                preconditionFailure("No key can be derived: \(error)")
            }
        }
    }
}

extension SecureEnclave.SharedSecret: Equatable {
    /// Whether both are the same secret; takes as long whichever bytes differ.
    public static func == (left: Self, right: Self) -> Bool {
        left.bytes.secret.constantTimeEquals(right.bytes.secret)
    }
}
