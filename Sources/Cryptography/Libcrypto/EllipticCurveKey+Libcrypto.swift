import Secrets

@_implementationOnly import CCrypto

extension EllipticCurve {
    /// Whether bytes are an uncompressed point of the curve.
    package func contains(point: [UInt8]) -> Bool {
        forgetEarlierErrors()
        return point.count == pointByteCount && point.first == 0x04
            && ccrypto_ec_point_is_on_curve(name, point, point.count) == 1
    }
}

extension KeyHandle {
    /// Makes a public key.
    ///
    /// - Parameters:
    ///   - curve: The curve the point should be on.
    ///   - point: Uncompressed, of the curve's size.
    /// - Returns: The key.
    /// - Throws: `invalidInput` if the point is not on the curve.
    static func ellipticCurvePublicKey(
        _ curve: EllipticCurve,
        point: [UInt8]
    ) throws(CryptographyError) -> KeyHandle {
        forgetEarlierErrors()
        guard let key = ccrypto_ec_key(curve.name, point, point.count, nil, 0) else {
            throw .invalidInput("point not on \(curve.name)")
        }
        let handle = KeyHandle(owning: key)
        try handle.check(EVP_PKEY_public_check, or: "point not on \(curve.name)") {
            () throws(CryptographyError) in
            forgetEarlierErrors()
            return ccrypto_ec_point_is_on_curve(curve.name, point, point.count) == 1
        }
        return handle
    }

    /// Creates a pair.
    ///
    /// - Parameters:
    ///   - curve: The curve of both halves.
    ///   - point: The public half, uncompressed; computed when `nil`.
    ///   - scalar: The private half.
    /// - Returns: The pair.
    /// - Throws: `invalidInput` if the scalar is zero or not below the order of the group, or if
    ///   the point is another scalar's; `backend`.
    static func ellipticCurvePair(
        _ curve: EllipticCurve,
        point: [UInt8]?,
        scalar: SecretInteger
    ) throws(CryptographyError) -> KeyHandle {
        guard (1...curve.bitCount).contains(scalar.bitCount) else {
            throw .invalidInput("scalar out of range")
        }
        let point = if let point { point } else { try publicPoint(of: scalar, on: curve) }
        guard point.count == curve.pointByteCount, point.first == 0x04 else {
            throw .invalidInput("not an uncompressed point of \(curve.name)")
        }
        forgetEarlierErrors()
        let scalarByteCount = curve.scalarByteCount
        let key = ccrypto_ec_key(curve.name, point, point.count, scalar.pointer, scalarByteCount)
        guard let key else { throw .invalidInput("halves that do not belong together") }
        let handle = KeyHandle(owning: key)
        try handle.check(EVP_PKEY_check, or: "halves that do not belong together") {
            () throws(CryptographyError) in
            try publicPoint(of: scalar, on: curve) == point
        }
        return handle
    }

    /// Writes the private scalar.
    ///
    /// - Throws: `backend`.
    func scalar(byteCount: Int) throws(CryptographyError) -> Secret {
        try integer(OSSL_PKEY_PARAM_PRIV_KEY).copyBytes(byteCount: byteCount)
    }

    /// Writes the public point as `04 ‖ X ‖ Y`.
    ///
    /// - Throws: `backend`.
    func uncompressedPoint() throws(CryptographyError) -> [UInt8] {
        let byteCount = (bitCount + 7) / 8
        let x = try integer(OSSL_PKEY_PARAM_EC_PUB_X).copyBytes(byteCount: byteCount)
        let y = try integer(OSSL_PKEY_PARAM_EC_PUB_Y).copyBytes(byteCount: byteCount)
        return [0x04] + x.copyBytesUnprotected() + y.copyBytesUnprotected()
    }

    private static func publicPoint(
        of scalar: SecretInteger,
        on curve: EllipticCurve
    ) throws(CryptographyError) -> [UInt8] {
        forgetEarlierErrors()
        var point = [UInt8](repeating: 0, count: curve.pointByteCount)
        let count = point.count
        guard ccrypto_ec_public_point(curve.name, scalar.pointer, &point, count) == 1 else {
            throw .invalidInput("scalar out of range")
        }
        return point
    }

    /// libcrypto's error code for a check that it cannot perform.
    private static let unsupported: Int32 = -2

    /// Runs one of libcrypto's checks of a key.
    ///
    /// In a program that made an engine serve all curves, libcrypto finds no check, because the
    /// engine has none. The keys of these curves are valid if their numbers are, as the cofactor is
    /// 1.
    private func check(
        _ test: (OpaquePointer?) -> Int32,
        or complaint: String,
        behindEngine numbersAreRight: () throws(CryptographyError) -> Bool
    ) throws(CryptographyError) {
        let context = try require(EVP_PKEY_CTX_new_from_pkey(nil, pointer, nil))
        defer { EVP_PKEY_CTX_free(context) }
        var result = test(context)
        if result == Self.unsupported { result = try numbersAreRight() ? 1 : 0 }
        guard result == 1 else {
            forgetEarlierErrors()
            throw .invalidInput(complaint)
        }
    }
}
