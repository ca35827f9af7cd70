import Secrets

extension PrivateKey {
    /// Reads the private scalar of a key on a NIST curve; the point follows from it.
    ///
    /// - Parameters:
    ///   - scalar: As many bytes as a coordinate has.
    ///   - curve: The curve.
    /// - Throws: `invalidKeySize`, `invalidInput` if it is zero or not below the group order;
    ///   `backend`.
    package init(
        scalar: borrowing Secret,
        on curve: EllipticCurve
    ) throws(CryptographyError) {
        guard scalar.byteCount == curve.scalarByteCount else {
            throw .invalidKeySize(expected: curve.scalarByteCount, actual: scalar.byteCount)
        }
        let handle = try scalar.withUnsafeBytes { bytes throws(CryptographyError) in
            try KeyHandle.ellipticCurvePair(curve, point: nil, scalar: SecretInteger(bytes[...]))
        }
        try self.init(handle: handle, family: .ellipticCurve)
    }

    /// Writes the private scalar, or the private bytes of a key on Curve25519.
    ///
    /// - Throws: `invalidInput` for an RSA key; `backend`.
    package func rawRepresentation() throws(CryptographyError) -> Secret {
        switch kind {
        case .rsa: throw .unsuitableAlgorithm
        case .ellipticCurve(let curve): try handle.scalar(byteCount: curve.scalarByteCount)
        case .ed25519, .x25519: try handle.rawPrivateKey()
        }
    }
}
