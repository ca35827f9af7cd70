import Cryptography
public import Foundation

/// Keys on the curve P-384 (FIPS 186-5).
///
/// Both halves convert to `SecKey` by their `x963Representation`.
public enum P384 {
    /// Keys that sign.
    public enum Signing {}
    /// Keys that agree on secrets.
    public enum KeyAgreement {}
}

extension P384.Signing {
    /// A signature: the numbers r and s.
    public struct ECDSASignature: ContiguousBytes, Hashable, Sendable {
        /// The numbers r and s one after the other.
        public let rawRepresentation: Data

        /// Creates a signature from r and s; only verification checks the numbers.
        public init(rawRepresentation: some DataProtocol) throws {
            self.rawRepresentation = try NISTSignature.checked(rawRepresentation, .p384)
        }

        /// Reads `SEQUENCE { r INTEGER, s INTEGER }`; only verification checks the numbers.
        public init(derRepresentation: some DataProtocol) throws {
            rawRepresentation = try NISTSignature.raw(derRepresentation, .p384)
        }

        /// The signature as `SEQUENCE { r INTEGER, s INTEGER }` in DER (X9.62).
        public var derRepresentation: Data { NISTSignature.der(rawRepresentation, .p384) }

        /// Calls a closure with the raw form.
        public func withUnsafeBytes<R>(_ body: (UnsafeRawBufferPointer) throws -> R) rethrows -> R {
            try rawRepresentation.withUnsafeBytes(body)
        }
    }

    /// A private key that signs; its bytes stay in libcrypto until you export them.
    public struct PrivateKey: Sendable {
        let key: Cryptography.PrivateKey

        /// Creates a random key.
        ///
        /// - Parameter compactRepresentable: whether the public half has a compact form, which half
        ///   of all keys have.
        public init(compactRepresentable: Bool = true) {
            key = NISTScalar.random(.p384, compactRepresentable: compactRepresentable)
        }

        /// Reads `04 ‖ X ‖ Y ‖ K`, the form of `SecKeyCreateWithData`.
        public init(x963Representation: some ContiguousBytes) throws {
            key = try NISTScalar.withPoint(x963Representation, .p384)
        }

        /// Reads K.
        public init(rawRepresentation: some ContiguousBytes) throws {
            key = try NISTScalar.alone(rawRepresentation, .p384)
        }

        /// Reads DER: PKCS#8, or SEC 1 with the name of the curve.
        public init(derRepresentation: some RandomAccessCollection<UInt8>) throws {
            key = try NISTScalar.der(derRepresentation, .p384)
        }

        /// Reads PEM with the label `PRIVATE KEY` or `EC PRIVATE KEY`.
        public init(pemRepresentation: String) throws {
            key = try NISTScalar.pem(pemRepresentation, .p384)
        }

        /// The public half.
        public var publicKey: PublicKey { PublicKey(key.publicKey) }
        /// The key as `04 ‖ X ‖ Y ‖ K`, in memory that is not wiped.
        public var x963Representation: Data { NISTScalar.export(key.externalRepresentation) }
        /// K, in memory that is not wiped.
        public var rawRepresentation: Data { NISTScalar.export(key.rawRepresentation) }
        /// The key as PKCS#8 in DER, in memory that is not wiped.
        public var derRepresentation: Data { NISTScalar.export(key.pkcs8) }
        /// The key as PKCS#8 in PEM, in memory that is not wiped.
        public var pemRepresentation: String { NISTScalar.exportPEM(key.pkcs8) }

        /// Signs a digest (FIPS 186-5).
        public func signature(for digest: some Digest) throws -> ECDSASignature {
            try ECDSASignature(rawRepresentation: NISTSignature.sign(digest, key))
        }

        /// Signs the SHA384 digest of data.
        public func signature(for data: some DataProtocol) throws -> ECDSASignature {
            try signature(for: SHA384.hash(data: data))
        }
    }

    /// The public half of a key that signs.
    public struct PublicKey: Sendable {
        let key: Cryptography.PublicKey

        init(_ key: Cryptography.PublicKey) { self.key = key }

        /// Reads `04 ‖ X ‖ Y`.
        public init(x963Representation: some ContiguousBytes) throws {
            key = try NISTPoint.uncompressed(x963Representation, .p384)
        }

        /// Reads `X ‖ Y`.
        public init(rawRepresentation: some ContiguousBytes) throws {
            key = try NISTPoint.coordinates(rawRepresentation, .p384)
        }

        /// Reads X after a byte `02` or `03`.
        public init(compressedRepresentation: some ContiguousBytes) throws {
            key = try NISTPoint.compressed(compressedRepresentation, .p384)
        }

        /// Reads X, and selects the point with the smaller Y.
        public init(compactRepresentation: some ContiguousBytes) throws {
            key = try NISTPoint.compact(compactRepresentation, .p384)
        }

        /// Reads a SubjectPublicKeyInfo in DER (RFC 5280).
        public init(derRepresentation: some RandomAccessCollection<UInt8>) throws {
            key = try NISTPoint.der(Array(derRepresentation), .p384)
        }

        /// Reads a PEM block with the label `PUBLIC KEY` (RFC 7468).
        public init(pemRepresentation: String) throws {
            key = try NISTPoint.pem(pemRepresentation, .p384)
        }

        /// The point as `04 ‖ X ‖ Y` (X9.63).
        public var x963Representation: Data { Data(key.externalRepresentation) }
        /// The point as `X ‖ Y`.
        public var rawRepresentation: Data { Data(key.externalRepresentation.dropFirst()) }
        /// X after `02` for an even Y or `03` for an odd one.
        public var compressedRepresentation: Data { Data(key.compressedPoint ?? []) }
        /// Only X; nil if Y is the larger one of the two.
        public var compactRepresentation: Data? { key.compactPoint.map { Data($0) } }
        /// The key as a SubjectPublicKeyInfo in DER (RFC 5280).
        public var derRepresentation: Data { Data(key.subjectPublicKeyInfo) }
        /// The SubjectPublicKeyInfo as PEM (RFC 7468).
        public var pemRepresentation: String {
            key.subjectPublicKeyInfo.withUnsafeBytes { PEM.text($0, "PUBLIC KEY") }
        }

        /// Returns whether this key's owner signed a digest.
        public func isValidSignature(_ signature: ECDSASignature, for digest: some Digest) -> Bool {
            NISTSignature.isValid(signature.rawRepresentation, of: digest, key)
        }

        /// Returns whether this key's owner signed the SHA384 digest of data.
        public func isValidSignature(
            _ signature: ECDSASignature,
            for data: some DataProtocol
        ) -> Bool {
            isValidSignature(signature, for: SHA384.hash(data: data))
        }
    }
}
