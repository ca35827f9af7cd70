import Cryptography
public import Foundation

/// A point on P-256 in all the forms that CryptoKit has for one.
///
/// Both kinds of public keys conform to it, so that a function can take either.
public protocol PublicPoint: Hashable, Sendable {
    /// Reads `04 ‖ X ‖ Y`, 65 bytes.
    init(x963Representation: some ContiguousBytes) throws

    /// `04 ‖ X ‖ Y`, 65 bytes.
    var x963Representation: Data { get }
}

extension PublicPoint {
    private var key: Cryptography.PublicKey? {
        try? Cryptography.PublicKey(
            family: .ellipticCurve,
            externalRepresentation: [UInt8](x963Representation)
        )
    }

    private init(_ key: Cryptography.PublicKey) throws {
        try self.init(x963Representation: Data(key.externalRepresentation))
    }

    /// Reads `X ‖ Y`, 64 bytes.
    ///
    /// - Throws: an error for anything else, and for a point off the curve.
    public init(rawRepresentation: some ContiguousBytes) throws {
        let coordinates = rawRepresentation.withUnsafeBytes { Data($0) }
        try self.init(x963Representation: Data([4]) + coordinates)
    }

    /// `X ‖ Y`, 64 bytes.
    public var rawRepresentation: Data { Data([UInt8](x963Representation.dropFirst())) }

    /// Reads X with `02` or `03` in front, 33 bytes.
    ///
    /// - Throws: an error for anything else, and for an x without a point.
    public init(compressedRepresentation: some ContiguousBytes) throws {
        try self.init(.p256(compressedPoint: compressedRepresentation.bytes))
    }

    /// X with `02` or `03` in front for an even or odd Y, 33 bytes.
    public var compressedRepresentation: Data { Data(key?.compressedPoint ?? []) }

    /// Reads X alone, 32 bytes; of its two points the one with the smaller Y is meant.
    ///
    /// - Throws: an error for anything else, and for an x without a point.
    public init(compactRepresentation: some ContiguousBytes) throws {
        try self.init(.p256(compactPoint: compactRepresentation.bytes))
    }

    /// X alone, 32 bytes; nil for the half of all keys whose Y is the larger one for its X.
    public var compactRepresentation: Data? { key?.compactPoint.map { Data($0) } }

    /// Reads a SubjectPublicKeyInfo in DER.
    ///
    /// - Throws: an error for anything else, and for a key that is not on P-256.
    public init(derRepresentation: some RandomAccessCollection<UInt8>) throws {
        try self.init(Cryptography.PublicKey(subjectPublicKeyInfo: Array(derRepresentation)))
    }

    /// The key as a SubjectPublicKeyInfo in DER, 91 bytes.
    public var derRepresentation: Data { Data(key?.subjectPublicKeyInfo ?? []) }

    /// Reads a block of the label `PUBLIC KEY`.
    ///
    /// - Throws: an error for anything else, and for a key that is not on P-256.
    public init(pemRepresentation: String) throws {
        try self.init(derRepresentation: try PublicKeyBlock.read(pemRepresentation))
    }

    /// The SubjectPublicKeyInfo as text, with lines of 64 characters.
    public var pemRepresentation: String { PublicKeyBlock.text(of: derRepresentation) }
}

extension ContiguousBytes {
    fileprivate var bytes: [UInt8] { withUnsafeBytes { [UInt8]($0) } }
}

extension Cryptography.PublicKey {
    /// A point on P-256 and on no other curve.
    static func p256(x963Representation bytes: some ContiguousBytes) throws -> Self {
        let key = try Self(family: .ellipticCurve, externalRepresentation: bytes.bytes)
        guard key.kind == .ellipticCurve(.p256) else {
            throw CryptographyError.invalidInput("not a point on P-256")
        }
        return key
    }
}
