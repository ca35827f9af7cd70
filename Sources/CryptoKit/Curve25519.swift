import Cryptography
public import Foundation
import Secrets

/// Keys on Curve25519, which are 32 bytes.
///
/// `SecKey` does not support such a key: store its `rawRepresentation` as a generic password.
public enum Curve25519 {
    /// Keys that sign (Ed25519, RFC 8032).
    public enum Signing {}
    /// Keys that agree on secrets (X25519, RFC 7748).
    public enum KeyAgreement {}
}

extension Curve25519.Signing {
    /// A private key that signs; its bytes stay in libcrypto until you export them.
    ///
    /// ```swift
    /// let key = Curve25519.Signing.PrivateKey()
    /// let signature = try key.signature(for: message)
    /// ```
    public struct PrivateKey: Sendable {
        let key: Cryptography.PrivateKey

        /// Creates a random key.
        public init() { key = Curve25519Bytes.random(.ed25519) }

        /// Reads 32 bytes, from which RFC 8032 computes the scalar.
        public init(rawRepresentation: some ContiguousBytes) throws {
            key = try Curve25519Bytes.privateKey(rawRepresentation, .ed25519)
        }

        /// The public half.
        public var publicKey: PublicKey { PublicKey(key.publicKey) }
        /// The 32 bytes, in memory that is not wiped.
        public var rawRepresentation: Data { NISTScalar.export(key.rawRepresentation) }

        /// Signs data; equal data has equal signatures (RFC 8032 §5.1.6).
        ///
        /// - Returns: 64 bytes.
        public func signature(for data: some DataProtocol) throws -> Data {
            Data(
                try CryptoKitError.reporting { () throws(CryptographyError) in
                    try key.sign([UInt8](data), with: .ed25519)
                }
            )
        }
    }

    /// The public half of a key that signs.
    public struct PublicKey: Sendable {
        let key: Cryptography.PublicKey

        init(_ key: Cryptography.PublicKey) { self.key = key }

        /// Reads 32 bytes; if they are not a point of the curve, no signature is valid.
        public init(rawRepresentation: some ContiguousBytes) throws {
            key = try Curve25519Bytes.publicKey(rawRepresentation, .ed25519)
        }

        /// The 32 bytes.
        public var rawRepresentation: Data { Data(key.externalRepresentation) }

        /// Returns whether this key's owner signed data.
        public func isValidSignature(
            _ signature: some DataProtocol,
            for data: some DataProtocol
        ) -> Bool {
            (try? key.isValidSignature([UInt8](signature), for: [UInt8](data), with: .ed25519))
                ?? false
        }
    }
}

extension Curve25519.KeyAgreement {
    /// A private key that agrees on secrets; its bytes stay in libcrypto until you export them.
    public struct PrivateKey: Sendable {
        let key: Cryptography.PrivateKey

        /// Creates a random key.
        public init() { key = Curve25519Bytes.random(.x25519) }

        /// Reads 32 bytes.
        public init(rawRepresentation: some ContiguousBytes) throws {
            key = try Curve25519Bytes.privateKey(rawRepresentation, .x25519)
        }

        /// The public half.
        public var publicKey: PublicKey { PublicKey(key.publicKey) }
        /// The 32 bytes, in memory that is not wiped.
        public var rawRepresentation: Data { NISTScalar.export(key.rawRepresentation) }

        /// Agrees on a secret with the owner of a public key.
        ///
        /// A public key of low order leaves no secret, and is an error (RFC 7748 §6.1).
        public func sharedSecretFromKeyAgreement(
            with publicKeyShare: PublicKey
        ) throws -> SharedSecret {
            try SharedSecret(of: key, with: publicKeyShare.key)
        }
    }

    /// The public half of a key that agrees on secrets.
    public struct PublicKey: Sendable {
        let key: Cryptography.PublicKey

        init(_ key: Cryptography.PublicKey) { self.key = key }

        /// Reads 32 bytes.
        public init(rawRepresentation: some ContiguousBytes) throws {
            key = try Curve25519Bytes.publicKey(rawRepresentation, .x25519)
        }

        /// The 32 bytes.
        public var rawRepresentation: Data { Data(key.externalRepresentation) }
    }
}

/// The creation and reading of keys on Curve25519.
private enum Curve25519Bytes {
    static func random(_ kind: KeyKind) -> PrivateKey {
        certain { () throws(CryptographyError) in try PrivateKey.generate(kind) }
    }

    static func privateKey(
        _ bytes: some ContiguousBytes,
        _ kind: KeyKind
    ) throws -> PrivateKey {
        try PrivateKey.reading(bytes) { bytes throws(CryptographyError) in
            try PrivateKey(family: kind.family, externalRepresentation: bytes)
        }
    }

    static func publicKey(_ bytes: some ContiguousBytes, _ kind: KeyKind) throws -> PublicKey {
        try PublicKey.reading(bytes) { bytes throws(CryptographyError) in
            try PublicKey(family: kind.family, externalRepresentation: bytes)
        }
    }
}
