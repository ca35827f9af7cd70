internal import Cryptography
public import Foundation
internal import Secrets

extension SecureEnclave {
    /// The secret on which two keys agree: the X coordinate of a point, 32 bytes.
    ///
    /// Derive keys from it:
    ///
    /// ```swift
    /// let secret = try mine.sharedSecretFromKeyAgreement(with: theirs)
    /// let key = secret.hkdfDerivedSymmetricKey(
    ///     using: SecureEnclave.SHA256.self,
    ///     salt: Data(),
    ///     sharedInfo: Data("messages".utf8),
    ///     outputByteCount: 32
    /// )
    /// ```
    public struct SharedSecret: ContiguousBytes, Sendable, CustomStringConvertible {
        private let bytes: Secrets.SharedSecret

        init(_ bytes: Secrets.SharedSecret) { self.bytes = bytes }

        /// Calls a closure with the 32 bytes, which are valid during the call.
        public func withUnsafeBytes<R>(_ body: (UnsafeRawBufferPointer) throws -> R) rethrows -> R {
            try bytes.secret.withUnsafeBytes { try body($0) }
        }

        /// The size, and nothing of the secret.
        public var description: String { bytes.description }

        /// Derives a key with HKDF (RFC 5869).
        ///
        /// - Parameters:
        ///   - hashFunction: the hash function, such as `SecureEnclave.SHA256.self`.
        ///   - salt: any bytes.
        ///   - sharedInfo: bytes that both sides know, such as the purpose of the key.
        ///   - outputByteCount: the size of the key in bytes, from 1 to 255 times the size of the
        ///     hash. Any other size stops the program, as in CryptoKit.
        /// - Returns: the key.
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

        /// Derives a key with the derivation function of X9.63.
        ///
        /// - Parameters:
        ///   - hashFunction: the hash function, such as `SecureEnclave.SHA256.self`.
        ///   - sharedInfo: bytes that both sides know, at most 1 MiB.
        ///   - outputByteCount: the size of the key, from 1 byte to 1 MiB. Any other size stops the
        ///     program, as in CryptoKit.
        /// - Returns: the key.
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
    /// Returns whether both secrets are the same, in constant time.
    public static func == (left: Self, right: Self) -> Bool {
        left.bytes.secret.constantTimeEquals(right.bytes.secret)
    }
}
