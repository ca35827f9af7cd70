import Secrets

extension PrivateKey {
    /// Agrees on a secret with the owner of a public key (ECDH, X25519).
    ///
    /// On the NIST curves the standard and the cofactor form have the same result, because the
    /// cofactor is 1.
    ///
    /// - Parameter publicKey: A key of exactly this key's kind.
    /// - Returns: The x coordinate at full width, or 32 bytes from X25519.
    /// - Throws: `invalidInput` for another kind, and if X25519 returns only zeros, which happens
    ///   with public keys that were constructed for that (RFC 7748 §6.1); `backend`.
    package func sharedSecret(
        with publicKey: PublicKey
    ) throws(CryptographyError) -> Secret {
        guard kind.isForKeyAgreement else { throw .unsuitableAlgorithm }
        guard kind == publicKey.kind else { throw .invalidInput("keys of different kinds") }
        do throws(CryptographyError) {
            return try handle.derive(with: publicKey.handle, byteCount: kind.blockByteCount)
        } catch {
            // libcrypto has only this reason to refuse two valid keys of this kind.
            guard kind == .x25519 else { throw error }
            throw .invalidInput("the public key leaves no secret to agree on")
        }
    }

    /// Agrees on a secret and derives a key from it.
    ///
    /// - Parameters:
    ///   - publicKey: A key of exactly this key's kind.
    ///   - sharedInfo: Bytes that both sides know.
    ///   - byteCount: The size of the result: 1 byte to 1 MiB.
    ///   - hash: The hash function of the derivation.
    /// - Returns: The key.
    /// - Throws: The same errors as `sharedSecret(with:)` and `X963KDF.deriveKey`.
    package func sharedKey(
        with publicKey: PublicKey,
        sharedInfo: [UInt8],
        byteCount: Int,
        hash: HashAlgorithm
    ) throws(CryptographyError) -> Secret {
        try X963KDF.deriveKey(
            from: sharedSecret(with: publicKey),
            sharedInfo: sharedInfo,
            byteCount: byteCount,
            hash: hash
        )
    }
}

extension KeyKind {
    /// Whether keys of the kind agree on secrets.
    package var isForKeyAgreement: Bool {
        switch self {
        case .rsa, .ed25519: false
        case .ellipticCurve, .x25519: true
        }
    }
}
