public import Foundation
public import KeychainAuthentication
import KeychainModel
public import KeychainServices

extension SecureEnclave.P256.Signing {
    /// A signature: the two numbers in DER (X9.62).
    public struct ECDSASignature: Hashable, Sendable {
        /// `SEQUENCE { r INTEGER, s INTEGER }`.
        public let derRepresentation: Data

        /// Takes a signature as it came; verifying judges it.
        public init(derRepresentation: some DataProtocol) {
            self.derRepresentation = Data(derRepresentation)
        }
    }

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
        /// - Throws: an error of `NSOSStatusErrorDomain`: -50 for other bytes, -26275 for a key of
        ///   another device, -4 where there is no secure element.
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

        /// Signs data, by SHA-256.
        ///
        /// - Throws: an error of `NSOSStatusErrorDomain` with what the keychain returns: -25308
        ///   while locked, -128 when the person cancels, -25293 when nobody proves what it takes.
        public func signature(for data: some DataProtocol) throws -> ECDSASignature {
            let signature = try key.use(.ecdsaSignatureMessageX962SHA256, .sign([UInt8](data)))
            return ECDSASignature(derRepresentation: signature.secret.copyBytesUnprotected())
        }
    }
}
