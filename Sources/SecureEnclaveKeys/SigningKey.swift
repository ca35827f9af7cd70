internal import Cryptography
public import Foundation
public import KeychainAuthentication
public import KeychainServices

extension SecureEnclave.P256.Signing {
    /// A private key that signs and never leaves the secure element.
    ///
    /// ```swift
    /// let key = try SecureEnclave.P256.Signing.PrivateKey()
    /// let signature = try key.signature(for: Data("message".utf8))
    /// let isValid = key.publicKey.isValidSignature(signature, for: Data("message".utf8))
    /// ```
    public struct PrivateKey: Sendable {
        private let key: ElementKey

        /// Creates a key inside the secure element.
        ///
        /// - Parameters:
        ///   - accessControl: the conditions of its use, with `.privateKeyUsage`. Without it, the
        ///     key works while this device is unlocked.
        ///   - authenticationContext: the context that authenticates the user for its uses.
        /// - Throws: an error of `NSOSStatusErrorDomain`: `errSecUnimplemented` if there is no
        ///   secure element, `errSecInteractionNotAllowed` while the class is locked,
        ///   `errSecAuthFailed` without the passcode or enrolment that the key needs.
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
        /// - Throws: an error of `NSOSStatusErrorDomain`: `errSecParam` for other bytes,
        ///   `errSecDecode` for a key of another device, `errSecUnimplemented` if there is no
        ///   secure element.
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

        /// Signs the SHA-256 digest of data.
        ///
        /// - Throws: an error of `NSOSStatusErrorDomain`: `errSecInteractionNotAllowed` while the
        ///   key is locked, `errSecUserCanceled` if the user cancels, `errSecAuthFailed` if the
        ///   user does not meet the access control.
        /// - Source: FIPS 186-5 (ECDSA).
        public func signature(for data: some DataProtocol) throws -> ECDSASignature {
            let der = try key.signature(of: [UInt8](data))
            return try ECDSASignature(derRepresentation: der.secret.copyBytesUnprotected())
        }
    }

    /// The public half of a key that signs.
    public struct PublicKey: PublicPoint {
        private let key: Cryptography.PublicKey

        init(_ key: Cryptography.PublicKey) { self.key = key }

        /// Reads `04 ‖ X ‖ Y`, 65 bytes.
        ///
        /// - Throws: an error for other bytes, or if the point is not on the curve.
        public init(x963Representation: some ContiguousBytes) throws {
            key = try .p256(x963Representation: x963Representation)
        }

        /// The point as `04 ‖ X ‖ Y`, 65 bytes (X9.63).
        public var x963Representation: Data { Data(key.externalRepresentation) }

        /// Returns whether this key's owner signed the SHA-256 digest of data.
        public func isValidSignature(
            _ signature: ECDSASignature,
            for data: some DataProtocol
        ) -> Bool {
            (try? key.isValidSignature(
                [UInt8](signature.rawRepresentation),
                for: [UInt8](data),
                with: .ecdsa(.sha256, .message, .rfc4754)
            )) ?? false
        }
    }
}
