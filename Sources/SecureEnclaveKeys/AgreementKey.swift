import Cryptography
public import Foundation
public import KeychainAuthentication
import KeychainModel
public import KeychainServices

extension SecureEnclave.P256.KeyAgreement {
    /// What two keys agree on.
    public typealias SharedSecret = SecureEnclave.SharedSecret

    /// A key that agrees on secrets and never leaves the secure element.
    public struct PrivateKey: Sendable {
        private let key: ElementKey

        /// Makes a key; as ``SecureEnclave/P256/Signing/PrivateKey``.
        ///
        /// - Parameters:
        ///   - accessControl: When and by whom it can be used; must hold `.privateKeyUsage` to be
        ///     of use.
        ///   - authenticationContext: Answers for its uses.
        /// - Throws: an error of `NSOSStatusErrorDomain`.
        public init(
            accessControl: SecAccessControl? = nil,
            authenticationContext: LAContext? = nil
        ) throws {
            key = try ElementKey(accessControl, authenticationContext)
        }

        /// Takes up a key that this device made; as ``SecureEnclave/P256/Signing/PrivateKey``.
        ///
        /// - Parameters:
        ///   - dataRepresentation: The property of that name.
        ///   - authenticationContext: Answers for its uses.
        /// - Throws: an error of `NSOSStatusErrorDomain`.
        public init(
            dataRepresentation: some DataProtocol,
            authenticationContext: LAContext? = nil
        ) throws {
            key = try ElementKey(dataRepresentation, authenticationContext)
        }

        /// The key as only this device opens it; Documentation/Spec/item.md §8.
        public var dataRepresentation: Data { key.dataRepresentation }

        /// The public half.
        public var publicKey: PublicKey { PublicKey(key.publicKey) }

        /// Agrees on a secret with the owner of a public key.
        ///
        /// - Throws: an error of `NSOSStatusErrorDomain`, as a signing key's use.
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

    /// The public half of a key that agrees on secrets.
    public struct PublicKey: PublicPoint {
        let key: Cryptography.PublicKey

        init(_ key: Cryptography.PublicKey) { self.key = key }

        /// Reads `04 ‖ X ‖ Y`, 65 bytes.
        ///
        /// - Throws: an error for anything else, and for a point off the curve.
        public init(x963Representation: some ContiguousBytes) throws {
            key = try .p256(x963Representation: x963Representation)
        }

        /// `04 ‖ X ‖ Y`, 65 bytes.
        public var x963Representation: Data { Data(key.externalRepresentation) }
    }
}
