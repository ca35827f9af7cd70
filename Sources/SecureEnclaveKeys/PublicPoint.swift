internal import Cryptography
public import Foundation

/// A point on P-256, with every representation that CryptoKit offers.
///
/// Both kinds of public keys conform to it, so a function can accept either.
public protocol PublicPoint: Hashable, Sendable {
    /// Reads `04 ‖ X ‖ Y`, 65 bytes.
    init(x963Representation: some ContiguousBytes) throws

    /// The point as `04 ‖ X ‖ Y`, 65 bytes.
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
    /// - Throws: an error for other bytes, or if the point is not on the curve.
    public init(rawRepresentation: some ContiguousBytes) throws {
        let coordinates = rawRepresentation.withUnsafeBytes { Data($0) }
        try self.init(x963Representation: Data([4]) + coordinates)
    }

    /// The point as `X ‖ Y`, 64 bytes.
    public var rawRepresentation: Data { Data([UInt8](x963Representation.dropFirst())) }

    /// Reads X after a byte `02` or `03`, 33 bytes.
    ///
    /// - Throws: an error for other bytes, or if no point has that X.
    public init(compressedRepresentation: some ContiguousBytes) throws {
        try self.init(.p256(compressedPoint: compressedRepresentation.bytes))
    }

    /// The X coordinate after `02` for an even Y or `03` for an odd one, 33 bytes.
    public var compressedRepresentation: Data { Data(key?.compressedPoint ?? []) }

    /// Reads X, 32 bytes, and selects the point with the smaller Y.
    ///
    /// - Throws: an error for other bytes, or if no point has that X.
    public init(compactRepresentation: some ContiguousBytes) throws {
        try self.init(.p256(compactPoint: compactRepresentation.bytes))
    }

    /// The X coordinate, 32 bytes, or nil if this key's Y is the larger of the two.
    ///
    /// About half of all keys have no compact form.
    public var compactRepresentation: Data? { key?.compactPoint.map { Data($0) } }

    /// Reads a SubjectPublicKeyInfo in DER (RFC 5280).
    ///
    /// - Throws: an error for other bytes, or if the key is not on P-256.
    public init(derRepresentation: some RandomAccessCollection<UInt8>) throws {
        try self.init(Cryptography.PublicKey(subjectPublicKeyInfo: Array(derRepresentation)))
    }

    /// The key as a SubjectPublicKeyInfo in DER, 91 bytes (RFC 5280).
    public var derRepresentation: Data { Data(key?.subjectPublicKeyInfo ?? []) }

    /// Reads a PEM block with the label `PUBLIC KEY` (RFC 7468).
    ///
    /// - Throws: an error for other text, or if the key is not on P-256.
    public init(pemRepresentation: String) throws {
        try self.init(derRepresentation: try PublicKeyBlock.read(pemRepresentation))
    }

    /// The SubjectPublicKeyInfo as PEM, with lines of 64 characters (RFC 7468).
    public var pemRepresentation: String { PublicKeyBlock.text(of: derRepresentation) }
}

extension ContiguousBytes {
    fileprivate var bytes: [UInt8] { withUnsafeBytes { [UInt8]($0) } }
}

extension Cryptography.PublicKey {
    /// Returns a point on P-256; fails for a point on another curve.
    static func p256(x963Representation bytes: some ContiguousBytes) throws -> Self {
        let key = try Self(family: .ellipticCurve, externalRepresentation: bytes.bytes)
        guard key.kind == .ellipticCurve(.p256) else {
            throw CryptographyError.invalidInput("not a point on P-256")
        }
        return key
    }
}
