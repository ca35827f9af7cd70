import Cryptography
public import Foundation
public import KeychainAuthentication
import KeychainModel
public import KeychainServices
import Secrets

extension SecureEnclave.P256.KeyAgreement {
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

    /// A key that agrees on secrets and never leaves the secure element.
    public struct PrivateKey: Sendable {
        private let key: ElementKey

        /// Makes a key.
        ///
        /// - Parameters:
        ///   - accessControl: When and by whom it can be used; must hold `.privateKeyUsage` to be
        ///     of use.
        ///   - authenticationContext: Answers for its uses.
        /// - Throws: As the signing key's.
        public init(
            accessControl: SecAccessControl? = nil,
            authenticationContext: LAContext? = nil
        ) throws {
            key = try ElementKey(
                accessControl ?? ElementKey.defaultControl(),
                authenticationContext
            )
        }

        /// Takes up a key that this device made.
        ///
        /// - Parameters:
        ///   - dataRepresentation: The property of that name.
        ///   - authenticationContext: Answers for its uses.
        /// - Throws: As the signing key's.
        public init(
            dataRepresentation: some DataProtocol,
            authenticationContext: LAContext? = nil
        ) throws {
            key = try ElementKey(dataRepresentation, authenticationContext)
        }

        /// The key as only this device opens it; Documentation/Spec/item.md §8.
        public var dataRepresentation: Data { Data(key.handle.encoded) }

        /// The public half.
        public var publicKey: PublicKey { PublicKey(key.publicKey) }

        /// Agrees on a secret with the owner of a public key.
        ///
        /// - Throws: As the signing key's use.
        public func sharedSecretFromKeyAgreement(
            with publicKeyShare: PublicKey
        ) throws -> SharedSecret {
            let use = ElementKeyUse.agree(
                publicPoint: publicKeyShare.key.externalRepresentation,
                byteCount: 32,
                sharedInfo: []
            )
            return SharedSecret(try key.use(.ecdhKeyExchangeStandard, use))
        }
    }
}
