import Cryptography
public import Foundation

extension SecureEnclave.P256 {
    /// The public half of a key of the secure element, in CryptoKit's forms.
    public struct PublicKey<Use>: Hashable, Sendable {
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
