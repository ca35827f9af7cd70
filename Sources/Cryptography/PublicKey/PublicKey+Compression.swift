// Points on P-256 by their x coordinate.
//
// Source: SEC 1 §2.3.3 for the compressed form; draft-jivsov-ecc-compact for the compact one.
extension PublicKey {
    /// The largest y coordinate of a compact point on P-256: half of the field's prime.
    private static let largestCompactY: [UInt8] =
        [0x7F, 0xFF, 0xFF, 0xFF, 0x80, 0, 0, 0, 0x80, 0, 0, 0] + Array(repeating: 0, count: 8)
        + [0x7F] + Array(repeating: 0xFF, count: 11)

    /// `02` or `03`, for an even or odd y, then X.
    ///
    /// - Returns: nil unless it is a point on one of the NIST curves.
    package var compressedPoint: [UInt8]? {
        guard case .ellipticCurve(let curve) = kind, let last = externalRepresentation.last else {
            return nil
        }
        let x = externalRepresentation[1..<1 + curve.scalarByteCount]
        return [last & 1 == 0 ? 0x02 : 0x03] + x
    }

    /// X alone: 32 bytes.
    ///
    /// - Returns: nil unless it is a point on P-256 whose y is the smaller of the two for its x.
    package var compactPoint: [UInt8]? {
        guard kind == .ellipticCurve(.p256) else { return nil }
        let coordinates = externalRepresentation.dropFirst()
        let y = coordinates.suffix(EllipticCurve.p256.scalarByteCount)
        guard !Self.largestCompactY.lexicographicallyPrecedes(y) else { return nil }
        return Array(coordinates.prefix(EllipticCurve.p256.scalarByteCount))
    }

    /// Reads a compressed point on P-256.
    ///
    /// - Throws: `invalidInput` for anything else and for an x without a point; `backend`.
    package static func p256(compressedPoint: [UInt8]) throws(CryptographyError) -> PublicKey {
        guard compressedPoint.count == 1 + EllipticCurve.p256.scalarByteCount,
            [0x02, 0x03].contains(compressedPoint[0])
        else { throw .invalidInput("not a compressed point on P-256") }
        let handle = try KeyHandle.ellipticCurvePublicKey(.p256, point: compressedPoint)
        return try PublicKey(
            family: .ellipticCurve,
            externalRepresentation: try handle.uncompressedPoint()
        )
    }

    /// Reads a compact point on P-256: of the two with its x the one with the smaller y.
    ///
    /// - Throws: `invalidInput` for anything else and for an x without a point; `backend`.
    package static func p256(compactPoint: [UInt8]) throws(CryptographyError) -> PublicKey {
        let even = try p256(compressedPoint: [0x02] + compactPoint)
        return even.compactPoint == nil ? try p256(compressedPoint: [0x03] + compactPoint) : even
    }
}
