/// The kind of a key, including its size.
package enum KeyKind: Sendable, Hashable {
    /// RSA with two primes; the modulus has this many bits.
    case rsa(bitCount: Int)
    /// A key on a NIST curve, for ECDSA and for key agreement.
    case ellipticCurve(EllipticCurve)
    /// EdDSA on edwards25519 (RFC 8032).
    case ed25519
    /// Key agreement on curve25519 (RFC 7748).
    case x25519

    /// The sizes an RSA modulus may have, in bits.
    package static let rsaBitCounts = 512...8192

    /// The size of a Curve25519 key, either half, in bytes.
    package static let curve25519ByteCount = 32

    /// The size in bits as key attributes name it; 256 on Curve25519.
    package var bitCount: Int {
        switch self {
        case .rsa(let bitCount): bitCount
        case .ellipticCurve(let curve): curve.bitCount
        case .ed25519, .x25519: 8 * Self.curve25519ByteCount
        }
    }

    /// The size of the modulus or of a coordinate in bytes.
    package var blockByteCount: Int { (bitCount + 7) / 8 }

    /// The family the kind belongs to.
    package var family: KeyFamily {
        switch self {
        case .rsa: .rsa
        case .ellipticCurve: .ellipticCurve
        case .ed25519: .ed25519
        case .x25519: .x25519
        }
    }

    /// The curve of a key on a NIST curve.
    package var curve: EllipticCurve? {
        guard case .ellipticCurve(let curve) = self else { return nil }
        return curve
    }
}
