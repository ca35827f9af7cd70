import Cryptography
public import Foundation
import KeychainModel
import KeychainServices
import Secrets

extension SecureEnclave.P256.KeyAgreement {
    /// A key that agrees on secrets and never leaves the secure element.
    public typealias PrivateKey = SecureEnclave.P256.PrivateKey<Self>

    /// The public half of a key that agrees on secrets.
    public typealias PublicKey = SecureEnclave.P256.PublicKey<Self>

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

        /// Derives a key by HKDF with SHA-256 (RFC 5869).
        ///
        /// - Parameters:
        ///   - salt: Any bytes.
        ///   - sharedInfo: What the key is for; at most 1024 bytes.
        ///   - outputByteCount: 1 to 8160.
        /// - Returns: The key, in ordinary memory.
        /// - Throws: an error outside these limits.
        public func hkdfDerivedKey(
            salt: some DataProtocol,
            sharedInfo: some DataProtocol,
            outputByteCount: Int
        ) throws -> Data {
            let key = try HKDF.deriveKey(
                from: bytes.secret,
                salt: [UInt8](salt),
                info: [UInt8](sharedInfo),
                byteCount: outputByteCount
            )
            return Data(key.copyBytesUnprotected())
        }

        /// Derives a key as X9.63 has it, with SHA-256.
        ///
        /// - Parameters:
        ///   - sharedInfo: Bytes that both sides know.
        ///   - outputByteCount: 1 byte to 1 MiB.
        /// - Returns: The key, in ordinary memory.
        /// - Throws: an error outside these limits.
        public func x963DerivedKey(
            sharedInfo: some DataProtocol,
            outputByteCount: Int
        ) throws -> Data {
            let key = try X963KDF.deriveKey(
                from: bytes.secret,
                sharedInfo: [UInt8](sharedInfo),
                byteCount: outputByteCount,
                hash: .sha256
            )
            return Data(key.copyBytesUnprotected())
        }
    }
}

extension SecureEnclave.P256.PrivateKey where Use == SecureEnclave.P256.KeyAgreement {
    /// Agrees on a secret with the owner of a public key.
    ///
    /// - Throws: an error of `NSOSStatusErrorDomain`, as a signing key's use.
    public func sharedSecretFromKeyAgreement(
        with publicKeyShare: SecureEnclave.P256.PublicKey<Use>
    ) throws -> Use.SharedSecret {
        let use = ElementKeyUse.agree(
            publicPoint: publicKeyShare.key.externalRepresentation,
            byteCount: 32,
            sharedInfo: []
        )
        return Use.SharedSecret(try key.use(.ecdhKeyExchangeStandard, use))
    }
}
