// The points on the NIST curves by their x coordinate.
//
// Source: SEC 1 §2.3.3 for the compressed form; draft-jivsov-ecc-compact for the compact one.
extension PublicKey {
    /// The compressed point: `02` or `03`, for an even or odd y, then X.
    ///
    /// - Returns: nil unless it is a point on one of the NIST curves.
    package var compressedPoint: [UInt8]? {
        guard case .ellipticCurve(let curve) = kind, let last = externalRepresentation.last else {
            return nil
        }
        let x = externalRepresentation[1..<1 + curve.scalarByteCount]
        return [last & 1 == 0 ? 0x02 : 0x03] + x
    }

    /// The compact point: only X.
    ///
    /// - Returns: nil unless it is a point on a NIST curve whose y is the smaller of the two.
    package var compactPoint: [UInt8]? {
        guard case .ellipticCurve(let curve) = kind else { return nil }
        let coordinates = externalRepresentation.dropFirst()
        let y = coordinates.suffix(curve.scalarByteCount)
        guard !curve.largestCompactY.lexicographicallyPrecedes(y) else { return nil }
        return Array(coordinates.prefix(curve.scalarByteCount))
    }

    /// Reads a compressed point on P-256.
    ///
    /// - Throws: `invalidInput` for anything else and for an x without a point; `backend`.
    package static func p256(compressedPoint: [UInt8]) throws(CryptographyError) -> PublicKey {
        try compressed(compressedPoint, on: .p256)
    }

    /// Reads a compressed point.
    ///
    /// - Throws: `invalidInput` for anything else and for an x without a point; `backend`.
    package static func compressed(
        _ compressedPoint: [UInt8],
        on curve: EllipticCurve
    ) throws(CryptographyError) -> PublicKey {
        guard compressedPoint.count == 1 + curve.scalarByteCount,
            [0x02, 0x03].contains(compressedPoint[0])
        else { throw .invalidInput("not a compressed point on \(curve.name)") }
        let handle = try KeyHandle.ellipticCurvePublicKey(curve, point: compressedPoint)
        return try PublicKey(
            family: .ellipticCurve,
            externalRepresentation: try handle.uncompressedPoint()
        )
    }

    /// Reads a compact point on P-256: of the two points with its x, the one with the smaller y.
    ///
    /// - Throws: `invalidInput` for anything else and for an x without a point; `backend`.
    package static func p256(compactPoint: [UInt8]) throws(CryptographyError) -> PublicKey {
        try compact(compactPoint, on: .p256)
    }

    /// Reads a compact point: of the two points with its x, the one with the smaller y.
    ///
    /// - Throws: `invalidInput` for anything else and for an x without a point; `backend`.
    package static func compact(
        _ compactPoint: [UInt8],
        on curve: EllipticCurve
    ) throws(CryptographyError) -> PublicKey {
        let even = try compressed([0x02] + compactPoint, on: curve)
        return even.compactPoint == nil ? try compressed([0x03] + compactPoint, on: curve) : even
    }
}

extension EllipticCurve {
    /// The largest y coordinate of a compact point: half of the field's prime.
    fileprivate var largestCompactY: [UInt8] {
        switch self {
        case .p256:
            [0x7F, 0xFF, 0xFF, 0xFF, 0x80, 0, 0, 0, 0x80, 0, 0, 0] + Array(repeating: 0, count: 8)
                + [0x7F] + Array(repeating: 0xFF, count: 11)
        case .p384:
            [0x7F] + Array(repeating: 0xFF, count: 31) + [0x7F, 0xFF, 0xFF, 0xFF, 0x80]
                + Array(repeating: 0, count: 7) + [0x7F, 0xFF, 0xFF, 0xFF]
        case .p521: [0] + Array(repeating: 0xFF, count: 65)
        }
    }
}
