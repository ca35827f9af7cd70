import Secrets

@_implementationOnly import CCrypto

extension KeyHandle {
    /// Agrees on a secret with another key of the same kind.
    ///
    /// - Parameters:
    ///   - peer: The other side's public key.
    ///   - byteCount: The size of the result in bytes.
    /// - Returns: The secret.
    /// - Throws: `backend`, also if X25519 returns only zeros.
    func derive(
        with peer: KeyHandle,
        byteCount: Int
    ) throws(CryptographyError) -> Secret {
        let context = try KeyContext(self)
        try require(EVP_PKEY_derive_init(context.pointer))
        try require(EVP_PKEY_derive_set_peer(context.pointer, peer.pointer))
        return try Secret(byteCount: byteCount) { output throws(CryptographyError) in
            var written = output.count
            let target = output.bindMemory(to: UInt8.self).baseAddress
            try require(EVP_PKEY_derive(context.pointer, target, &written))
            guard written == byteCount else { throw .backend("secret of another size") }
        }
    }
}
