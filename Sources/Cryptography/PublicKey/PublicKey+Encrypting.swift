import Secrets

extension PublicKey {
    /// Encrypts so that only the private half can decrypt.
    ///
    /// - Parameters:
    ///   - plaintext: For RSA at most the size that the padding leaves room for; else up to 1 GiB.
    ///   - algorithm: An algorithm that suits the key.
    /// - Returns: RSA: a block. OAEP with AES-GCM: a block, the ciphertext, a 16-byte tag. ECIES:
    ///   the ephemeral public key, the ciphertext, a 16-byte tag.
    /// - Throws: `invalidInput` if the algorithm does not suit the key or the plaintext is too
    ///   long; `backend`, also for a raw block that is not below the modulus.
    package func encrypt(
        _ plaintext: borrowing Secret,
        with algorithm: EncryptionAlgorithm
    ) throws(CryptographyError) -> [UInt8] {
        guard algorithm.suits(kind) else { throw .unsuitableAlgorithm }
        if let limit = algorithm.plaintextByteCountLimit(kind), plaintext.byteCount > limit {
            throw .invalidInput("plaintext over \(limit) bytes")
        }
        switch algorithm {
        case .rsaRaw:
            let missing = kind.blockByteCount - plaintext.byteCount
            let zeros = Secret(byteCount: missing) { _ in }
            return try handle.encrypt(Secret(concatenating: zeros, plaintext), padding: .none)
        case .rsaPKCS1v15: return try handle.encrypt(plaintext, padding: .pkcs1v15)
        case .rsaOAEP(let hash): return try handle.encrypt(plaintext, padding: .oaep(hash))
        case .rsaOAEPAESGCM(let hash): return try encryptSession(plaintext, hash: hash)
        case .ecies(let hash, let nonce):
            return try encryptToPoint(plaintext, hash: hash, nonce: nonce)
        }
    }

    private func encryptSession(
        _ plaintext: borrowing Secret,
        hash: HashAlgorithm
    ) throws(CryptographyError) -> [UInt8] {
        let sessionKey = try Secret(byteCount: SessionCipher.keyByteCount(for: kind)) {
            bytes throws(CryptographyError) in try SystemRandomSource().fill(bytes)
        }
        let wrapped = try handle.encrypt(sessionKey, padding: .oaep(hash))
        return wrapped
            + (try SessionCipher.seal(
                plaintext,
                keyAndNonce: SessionCipher.withZeroNonce(sessionKey),
                authenticating: externalRepresentation
            ))
    }

    private func encryptToPoint(
        _ plaintext: borrowing Secret,
        hash: HashAlgorithm,
        nonce: EncryptionAlgorithm.ECIESNonce
    ) throws(CryptographyError) -> [UInt8] {
        let ephemeral = try PrivateKey.generate(kind)
        let point = ephemeral.publicKey.externalRepresentation
        let session = try SessionCipher.deriveKeyAndNonce(
            from: ephemeral.sharedSecret(with: self),
            ephemeralPoint: point,
            kind: kind,
            hash: hash,
            nonce: nonce
        )
        return point
            + (try SessionCipher.seal(plaintext, keyAndNonce: session, authenticating: []))
    }
}
