import Cryptography
public import Foundation
public import KeychainAuthentication
public import KeychainServices
import Secrets
import SecureEnclaveKeys

/// The part of the device that creates private keys and never releases them.
///
/// ```swift
/// let key = try SecureEnclave.P256.Signing.PrivateKey()
/// let stored = key.dataRepresentation
/// ```
public enum SecureEnclave {
    /// Whether the device has a secure element; false in the profile of the iOS Simulator.
    public static var isAvailable: Bool { SecureEnclaveKeys.SecureEnclave.isAvailable }

    /// Keys on P-256, the only curve of the secure element.
    public enum P256 {
        /// Keys that sign.
        public enum Signing {}
        /// Keys that agree on secrets.
        public enum KeyAgreement {}
    }
}

extension ElementKey {
    /// Creates keys until one has the form that the caller requires; a rejected key is not stored.
    fileprivate static func made(
        _ compactRepresentable: Bool,
        _ control: SecAccessControl?,
        _ context: LAContext?
    ) throws -> ElementKey {
        while true {
            let key = try ElementKey(control, context)
            if !compactRepresentable || key.publicKey.compactPoint != nil { return key }
        }
    }
}

extension SecureEnclave.P256.Signing {
    /// A private key that signs and never leaves the secure element.
    public struct PrivateKey: Sendable {
        private let key: ElementKey

        /// Creates a key inside the secure element.
        ///
        /// - Parameters:
        ///   - compactRepresentable: whether the public half has a compact form.
        ///   - accessControl: the conditions of its use, with `.privateKeyUsage`. Without it, the
        ///     key works while this device is unlocked.
        ///   - authenticationContext: the context that authenticates the user for its uses.
        /// - Throws: an error of `NSOSStatusErrorDomain`, as `SecureEnclaveKeys` documents.
        public init(
            compactRepresentable: Bool = true,
            accessControl: SecAccessControl? = nil,
            authenticationContext: LAContext? = nil
        ) throws {
            key = try .made(compactRepresentable, accessControl, authenticationContext)
        }

        /// Restores a key that this device created.
        ///
        /// - Throws: an error of `NSOSStatusErrorDomain`, as `SecureEnclaveKeys` documents.
        public init(
            dataRepresentation: some DataProtocol,
            authenticationContext: LAContext? = nil
        ) throws {
            key = try ElementKey(dataRepresentation, authenticationContext)
        }

        /// The encrypted key, which only this device can open; it outlives changes of the passcode.
        public var dataRepresentation: Data { key.dataRepresentation }

        /// The public half.
        public var publicKey: P256.Signing.PublicKey { .init(key.publicKey) }

        /// Signs a digest.
        ///
        /// - Throws: an error of `NSOSStatusErrorDomain`, for example
        ///   `errSecInteractionNotAllowed` while the key is locked.
        public func signature(for digest: some Digest) throws -> P256.Signing.ECDSASignature {
            let digest = digest.withUnsafeBytes { [UInt8]($0) }
            let der = try key.signature(ofDigest: digest)
            return try .init(derRepresentation: der.secret.copyBytesUnprotected())
        }

        /// Signs the SHA-256 digest of data.
        ///
        /// - Throws: an error of `NSOSStatusErrorDomain`, as for a digest.
        public func signature(
            for data: some DataProtocol
        ) throws -> P256.Signing.ECDSASignature {
            try signature(for: SHA256.hash(data: data))
        }
    }
}

extension SecureEnclave.P256.KeyAgreement {
    /// A private key that agrees on secrets and never leaves the secure element.
    public struct PrivateKey: Sendable {
        private let key: ElementKey

        /// Creates a key inside the secure element.
        ///
        /// - Parameters:
        ///   - compactRepresentable: whether the public half has a compact form.
        ///   - accessControl: the conditions of its use, with `.privateKeyUsage`. Without it, the
        ///     key works while this device is unlocked.
        ///   - authenticationContext: the context that authenticates the user for its uses.
        /// - Throws: an error of `NSOSStatusErrorDomain`, as `SecureEnclaveKeys` documents.
        public init(
            compactRepresentable: Bool = true,
            accessControl: SecAccessControl? = nil,
            authenticationContext: LAContext? = nil
        ) throws {
            key = try .made(compactRepresentable, accessControl, authenticationContext)
        }

        /// Restores a key that this device created.
        ///
        /// - Throws: an error of `NSOSStatusErrorDomain`, as `SecureEnclaveKeys` documents.
        public init(
            dataRepresentation: some DataProtocol,
            authenticationContext: LAContext? = nil
        ) throws {
            key = try ElementKey(dataRepresentation, authenticationContext)
        }

        /// The encrypted key, which only this device can open; it outlives changes of the passcode.
        public var dataRepresentation: Data { key.dataRepresentation }

        /// The public half.
        public var publicKey: P256.KeyAgreement.PublicKey { .init(key.publicKey) }

        /// Agrees on a secret with the owner of a public key.
        ///
        /// - Throws: an error of `NSOSStatusErrorDomain`, as for a signature.
        public func sharedSecretFromKeyAgreement(
            with publicKeyShare: P256.KeyAgreement.PublicKey
        ) throws -> SharedSecret {
            SharedSecret(try key.sharedSecret(with: publicKeyShare.key))
        }
    }
}
