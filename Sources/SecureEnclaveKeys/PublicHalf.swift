import Cryptography
public import Foundation

/// The public half of a key of the secure element, in CryptoKit's forms.
public protocol SecureEnclavePublicKey: Hashable, Sendable {
    /// Reads `04 ‖ X ‖ Y`, 65 bytes.
    ///
    /// - Throws: an error for anything else, and for a point off the curve.
    init(x963Representation: some ContiguousBytes) throws

    /// `04 ‖ X ‖ Y`, 65 bytes.
    var x963Representation: Data { get }
}

extension SecureEnclavePublicKey {
    /// Reads `X ‖ Y`, 64 bytes.
    ///
    /// - Throws: an error for anything else, and for a point off the curve.
    public init(rawRepresentation: some ContiguousBytes) throws {
        let coordinates = rawRepresentation.withUnsafeBytes { Data($0) }
        try self.init(x963Representation: Data([4]) + coordinates)
    }

    /// `X ‖ Y`, 64 bytes.
    public var rawRepresentation: Data { Data([UInt8](x963Representation.dropFirst())) }
}

extension SecureEnclave.P256.Signing {
    /// The public half of a key that signs.
    public struct PublicKey: SecureEnclavePublicKey {
        private let key: Cryptography.PublicKey

        init(_ key: Cryptography.PublicKey) { self.key = key }

        /// Reads `04 ‖ X ‖ Y`, 65 bytes.
        ///
        /// - Throws: an error for anything else, and for a point off the curve.
        public init(x963Representation: some ContiguousBytes) throws {
            key = try .p256(x963Representation)
        }

        /// `04 ‖ X ‖ Y`, 65 bytes.
        public var x963Representation: Data { Data(key.externalRepresentation) }

        /// Whether a signature over data, by SHA-256, is this key's.
        public func isValidSignature(
            _ signature: ECDSASignature,
            for data: some DataProtocol
        ) -> Bool {
            (try? key.isValidSignature(
                [UInt8](signature.derRepresentation),
                for: [UInt8](data),
                with: .ecdsa(.sha256, .message, .x962)
            )) ?? false
        }
    }
}

extension SecureEnclave.P256.KeyAgreement {
    /// The public half of a key that agrees on secrets.
    public struct PublicKey: SecureEnclavePublicKey {
        let key: Cryptography.PublicKey

        init(_ key: Cryptography.PublicKey) { self.key = key }

        /// Reads `04 ‖ X ‖ Y`, 65 bytes.
        ///
        /// - Throws: an error for anything else, and for a point off the curve.
        public init(x963Representation: some ContiguousBytes) throws {
            key = try .p256(x963Representation)
        }

        /// `04 ‖ X ‖ Y`, 65 bytes.
        public var x963Representation: Data { Data(key.externalRepresentation) }
    }
}

extension Cryptography.PublicKey {
    /// A point on P-256 and on no other curve.
    fileprivate static func p256(_ bytes: some ContiguousBytes) throws -> Self {
        let key = try Self(
            family: .ellipticCurve,
            externalRepresentation: bytes.withUnsafeBytes { [UInt8]($0) }
        )
        guard key.kind == .ellipticCurve(.p256) else {
            throw CryptographyError.invalidInput("not a point on P-256")
        }
        return key
    }
}
