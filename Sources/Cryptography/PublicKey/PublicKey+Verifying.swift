extension PublicKey {
    /// Verifies a signature.
    ///
    /// - Parameters:
    ///   - signature: Any bytes.
    ///   - input: The digest or the message, as the algorithm requires.
    ///   - algorithm: An algorithm that suits the key.
    /// - Returns: `false` also for bytes that are not a signature: too long, malformed or out of
    ///   range.
    /// - Throws: `invalidInput` if the algorithm does not suit the key or the input has the wrong
    ///   size; `backend`.
    package func isValidSignature(
        _ signature: [UInt8],
        for input: [UInt8],
        with algorithm: SignatureAlgorithm
    ) throws(CryptographyError) -> Bool {
        guard algorithm.suits(kind) else { throw .unsuitableAlgorithm }
        guard algorithm != .ed25519 else {
            return try handle.verifyEdwards(signature, message: input)
        }
        let prepared = try SignatureInput(input, algorithm: algorithm, kind: kind)
        guard let curve = kind.curve else {
            guard signature.count == kind.blockByteCount else { return false }
            return try handle.verify(signature, prepared)
        }
        guard prepared.encoding == .rfc4754 else { return try handle.verify(signature, prepared) }
        guard let numbers = ECDSASignature(rfc4754: signature, curve) else { return false }
        return try handle.verify(numbers.x962, prepared)
    }
}
