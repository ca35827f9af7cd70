import Secrets

extension PrivateKey {
    /// Decrypts a result of `PublicKey.encrypt`.
    ///
    /// A caller that answers untrusted parties must not let them distinguish a failure of PKCS#1
    /// v1.5 padding from any other failure (Bleichenbacher).
    ///
    /// - Parameters:
    ///   - ciphertext: Exactly the result of encryption.
    ///   - algorithm: The algorithm of the encryption.
    /// - Returns: The plaintext; a whole block for raw RSA.
    /// - Throws: `authenticationFailed` if padding or tag are wrong; `invalidInput` if the
    ///   algorithm does not suit the key, the ciphertext has an impossible size, or its ephemeral
    ///   key is invalid; `backend`.
    package func decrypt(
        _ ciphertext: [UInt8],
        with algorithm: EncryptionAlgorithm
    ) throws(CryptographyError) -> Secret {
        guard algorithm.suits(kind) else { throw .unsuitableAlgorithm }
        return switch algorithm {
        case .rsaRaw: try decryptBlock(ciphertext, padding: .none)
        case .rsaPKCS1v15: try decryptBlock(ciphertext, padding: .pkcs1v15)
        case .rsaOAEP(let hash): try decryptBlock(ciphertext, padding: .oaep(hash))
        case .rsaOAEPAESGCM(let hash): try decryptSession(ciphertext, hash: hash)
        case .ecies(let hash, let nonce):
            try decryptFromPoint(ciphertext, hash: hash, nonce: nonce)
        }
    }

    private func decryptBlock(
        _ ciphertext: [UInt8],
        padding: EncryptionPadding
    ) throws(CryptographyError) -> Secret {
        guard ciphertext.count == kind.blockByteCount else {
            throw .invalidInput("ciphertext not of \(kind.blockByteCount) bytes")
        }
        return try handle.decrypt(ciphertext, padding: padding, byteCount: kind.blockByteCount)
    }

    private func decryptSession(
        _ ciphertext: [UInt8],
        hash: HashAlgorithm
    ) throws(CryptographyError) -> Secret {
        let blockByteCount = kind.blockByteCount
        guard ciphertext.count >= blockByteCount + SessionCipher.tagByteCount else {
            throw .invalidInput("ciphertext too short")
        }
        let wrapped = Array(ciphertext.prefix(blockByteCount))
        let sessionKey = try decryptBlock(wrapped, padding: .oaep(hash))
        guard SessionCipher.keyByteCounts.contains(sessionKey.byteCount) else {
            throw .authenticationFailed
        }
        return try SessionCipher.open(
            ciphertext.dropFirst(blockByteCount),
            keyAndNonce: SessionCipher.withZeroNonce(sessionKey),
            authenticating: publicKey.externalRepresentation
        )
    }

    private func decryptFromPoint(
        _ ciphertext: [UInt8],
        hash: HashAlgorithm,
        nonce: EncryptionAlgorithm.ECIESNonce
    ) throws(CryptographyError) -> Secret {
        let pointByteCount = publicKey.externalRepresentation.count
        guard ciphertext.count >= pointByteCount + SessionCipher.tagByteCount else {
            throw .invalidInput("ciphertext too short")
        }
        let point = Array(ciphertext.prefix(pointByteCount))
        let ephemeral = try PublicKey(family: kind.family, externalRepresentation: point)
        let session = try SessionCipher.deriveKeyAndNonce(
            from: sharedSecret(with: ephemeral),
            ephemeralPoint: point,
            kind: kind,
            hash: hash,
            nonce: nonce
        )
        return try SessionCipher.open(
            ciphertext.dropFirst(pointByteCount),
            keyAndNonce: session,
            authenticating: []
        )
    }
}
