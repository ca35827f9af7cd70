/// The NIST prime curves (FIPS 186-4 D.1.2); their cofactor is 1.
package enum EllipticCurve: Sendable, Hashable, CaseIterable {
    case p256
    case p384
    case p521

    /// The size of the field, and of the group order, in bits.
    package var bitCount: Int {
        switch self {
        case .p256: 256
        case .p384: 384
        case .p521: 521
        }
    }

    /// The size of a coordinate, and of a private scalar, in bytes.
    package var scalarByteCount: Int { (bitCount + 7) / 8 }

    /// The size of an uncompressed point, `04 ‖ X ‖ Y`, in bytes.
    package var pointByteCount: Int { 1 + 2 * scalarByteCount }

    /// The curve's name in the standard and in libcrypto.
    var name: String { "P-\(bitCount)" }

    /// The content of the curve's object identifier.
    var objectIdentifier: [UInt8] {
        switch self {
        case .p256: ObjectIdentifier.p256
        case .p384: ObjectIdentifier.p384
        case .p521: ObjectIdentifier.p521
        }
    }
}
