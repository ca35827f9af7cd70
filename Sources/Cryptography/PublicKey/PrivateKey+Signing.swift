extension PrivateKey {
    /// Signs a digest or a message.
    ///
    /// - Parameters:
    ///   - input: A digest or a message, as the algorithm requires.
    ///   - algorithm: An algorithm that suits the key.
    /// - Returns: The signature: a block for RSA, 64 bytes for Ed25519, and the encoding's form for
    ///   ECDSA.
    /// - Throws: `invalidInput` if the algorithm does not suit the key or the input has the wrong
    ///   size; `backend`, also for a raw block that is not below the modulus.
    package func sign(
        _ input: [UInt8],
        with algorithm: SignatureAlgorithm
    ) throws(CryptographyError) -> [UInt8] {
        guard algorithm.suits(kind) else { throw .unsuitableAlgorithm }
        guard algorithm != .ed25519 else { return try handle.signEdwards(input) }
        let prepared = try SignatureInput(input, algorithm: algorithm, kind: kind)
        let signature = try handle.sign(prepared)
        guard let curve = kind.curve, prepared.encoding == .rfc4754 else { return signature }
        return try ECDSASignature(x962: signature).rfc4754(curve)
    }
}

extension CryptographyError {
    /// The error for an algorithm that the key does not support.
    static let unsuitableAlgorithm = CryptographyError.invalidInput("algorithm of another key kind")
}
