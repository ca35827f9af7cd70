internal import Cryptography
public import Foundation
public import KeychainAuthentication
public import KeychainServices

extension SecureEnclave.P256.KeyAgreement {
    /// The secret on which two keys agree.
    public typealias SharedSecret = SecureEnclave.SharedSecret

    /// A private key that agrees on secrets and never leaves the secure element.
    public struct PrivateKey: Sendable {
        private let key: ElementKey

        /// Creates a key inside the secure element.
        ///
        /// - Parameters:
        ///   - accessControl: the conditions of its use, with `.privateKeyUsage`. Without it, the
        ///     key works while this device is unlocked.
        ///   - authenticationContext: the context that authenticates the user for its uses.
        /// - Throws: an error of `NSOSStatusErrorDomain`, as
        ///   ``SecureEnclave/P256/Signing/PrivateKey`` does.
        public init(
            accessControl: SecAccessControl? = nil,
            authenticationContext: LAContext? = nil
        ) throws {
            key = try ElementKey(accessControl, authenticationContext)
        }

        /// Restores a key that this device created.
        ///
        /// - Parameters:
        ///   - dataRepresentation: the ``dataRepresentation`` of the key.
        ///   - authenticationContext: the context that authenticates the user for its uses.
        /// - Throws: an error of `NSOSStatusErrorDomain`, as
        ///   ``SecureEnclave/P256/Signing/PrivateKey`` does.
        public init(
            dataRepresentation: some DataProtocol,
            authenticationContext: LAContext? = nil
        ) throws {
            key = try ElementKey(dataRepresentation, authenticationContext)
        }

        /// The encrypted key, which only this device can open; it outlives changes of the passcode.
        ///
        /// - Source: the format is in Documentation/Spec/item.md, section 8.
        public var dataRepresentation: Data { key.dataRepresentation }

        /// The public half.
        public var publicKey: PublicKey { PublicKey(key.publicKey) }

        /// Agrees on a secret with the owner of a public key.
        ///
        /// - Throws: an error of `NSOSStatusErrorDomain`, with the same codes as a signature.
        public func sharedSecretFromKeyAgreement(
            with publicKeyShare: PublicKey
        ) throws -> SharedSecret {
            SharedSecret(try key.sharedSecret(with: publicKeyShare.key))
        }
    }

    /// The public half of a key that agrees on secrets.
    public struct PublicKey: PublicPoint {
        let key: Cryptography.PublicKey

        init(_ key: Cryptography.PublicKey) { self.key = key }

        /// Reads `04 ‖ X ‖ Y`, 65 bytes.
        ///
        /// - Throws: an error for other bytes, or if the point is not on the curve.
        public init(x963Representation: some ContiguousBytes) throws {
            key = try .p256(x963Representation: x963Representation)
        }

        /// The point as `04 ‖ X ‖ Y`, 65 bytes (X9.63).
        public var x963Representation: Data { Data(key.externalRepresentation) }
    }
}
