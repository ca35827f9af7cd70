import Cryptography
public import Foundation
import KeychainModel
import KeychainServices

extension SecureEnclave.P256.Signing {
    /// A key that signs and never leaves the secure element.
    public typealias PrivateKey = SecureEnclave.P256.PrivateKey<Self>

    /// The public half of a key that signs.
    public typealias PublicKey = SecureEnclave.P256.PublicKey<Self>

    /// A signature: the two numbers in DER (X9.62).
    public struct ECDSASignature: Hashable, Sendable {
        /// `SEQUENCE { r INTEGER, s INTEGER }`.
        public let derRepresentation: Data

        /// Takes a signature as it came; verifying judges it.
        public init(derRepresentation: some DataProtocol) {
            self.derRepresentation = Data(derRepresentation)
        }
    }
}

extension SecureEnclave.P256.PrivateKey where Use == SecureEnclave.P256.Signing {
    /// Signs data, by SHA-256.
    ///
    /// - Throws: an error of `NSOSStatusErrorDomain` with what the keychain returns: -25308
    ///   while locked, -128 when the person cancels, -25293 when nobody proves what it takes.
    public func signature(for data: some DataProtocol) throws -> Use.ECDSASignature {
        let signature = try key.use(.ecdsaSignatureMessageX962SHA256, .sign([UInt8](data)))
        return Use.ECDSASignature(derRepresentation: signature.secret.copyBytesUnprotected())
    }
}

extension SecureEnclave.P256.PublicKey where Use == SecureEnclave.P256.Signing {
    /// Whether a signature over data, by SHA-256, is this key's.
    public func isValidSignature(
        _ signature: Use.ECDSASignature,
        for data: some DataProtocol
    ) -> Bool {
        (try? key.isValidSignature(
            [UInt8](signature.derRepresentation),
            for: [UInt8](data),
            with: .ecdsa(.sha256, .message, .x962)
        )) ?? false
    }
}
