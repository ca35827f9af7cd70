import Cryptography
public import Foundation
public import KeychainAuthentication
import KeychainModel
public import KeychainServices

extension SecureEnclave.P256.Signing {
    /// A key that signs and never leaves the secure element.
    public struct PrivateKey: Sendable {
        private let key: ElementKey

        /// Makes a key.
        ///
        /// - Parameters:
        ///   - accessControl: When and by whom it can be used; must hold `.privateKeyUsage` to be
        ///     of use.
        ///   - authenticationContext: Answers for its uses.
        /// - Throws: an error of `NSOSStatusErrorDomain`: -4 where there is no secure element,
        ///   -25308 while the class is locked, -25293 without the passcode or enrolment it needs.
        public init(
            accessControl: SecAccessControl? = nil,
            authenticationContext: LAContext? = nil
        ) throws {
            key = try ElementKey(accessControl, authenticationContext)
        }

        /// Takes up a key that this device made.
        ///
        /// - Parameters:
        ///   - dataRepresentation: The property of that name.
        ///   - authenticationContext: Answers for its uses.
        /// - Throws: an error of `NSOSStatusErrorDomain`: -50 for other bytes, -26275 for a key of
        ///   another device, -4 where there is no secure element.
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

        /// Signs data, by SHA-256.
        ///
        /// - Throws: an error of `NSOSStatusErrorDomain` with what the keychain returns: -25308
        ///   while locked, -128 when the person cancels, -25293 when nobody proves what it takes.
        public func signature(for data: some DataProtocol) throws -> ECDSASignature {
            let use = ElementKeyUse.sign([UInt8](data))
            let der = try key.use(.ecdsaSignatureMessageX962SHA256, use)
            return try ECDSASignature(derRepresentation: der.secret.copyBytesUnprotected())
        }
    }

    /// The public half of a key that signs.
    public struct PublicKey: PublicPoint {
        private let key: Cryptography.PublicKey

        init(_ key: Cryptography.PublicKey) { self.key = key }

        /// Reads `04 ‖ X ‖ Y`, 65 bytes.
        ///
        /// - Throws: an error for anything else, and for a point off the curve.
        public init(x963Representation: some ContiguousBytes) throws {
            key = try .p256(x963Representation: x963Representation)
        }

        /// `04 ‖ X ‖ Y`, 65 bytes.
        public var x963Representation: Data { Data(key.externalRepresentation) }

        /// Whether a signature over data, by SHA-256, is this key's.
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
