/// An algorithm for encryption to a public key.
package enum EncryptionAlgorithm: Sendable, Hashable {
    /// The origin of the nonce of an ECIES message; both kinds have 16 bytes.
    package enum ECIESNonce: Sendable, Hashable, CaseIterable {
        /// Zeros; sound because every message has a key of its own.
        case zero
        /// Derived together with the key.
        case derived
    }

    /// The bare RSA operation on at most a block; shorter input gets zeros in front.
    case rsaRaw
    /// RSAES-PKCS1-v1_5 (RFC 8017 §7.2).
    case rsaPKCS1v15
    /// RSAES-OAEP with MGF1 on the same hash and no label (RFC 8017 §7.1).
    case rsaOAEP(HashAlgorithm)
    /// A session key in RSAES-OAEP, then AES-GCM under it.
    case rsaOAEPAESGCM(HashAlgorithm)
    /// An ephemeral key, ECDH, the X9.63 derivation, then AES-GCM.
    case ecies(HashAlgorithm, ECIESNonce)

    /// Whether keys of the kind support the algorithm; RSA moduli must have room for the padding.
    package func suits(_ kind: KeyKind) -> Bool {
        switch (self, kind) {
        case (.rsaRaw, .rsa), (.rsaPKCS1v15, .rsa), (.ecies, .ellipticCurve): true
        case (.rsaOAEP, .rsa): (plaintextByteCountLimit(kind) ?? 0) >= 0
        case (.rsaOAEPAESGCM(let hash), .rsa):
            (Self.rsaOAEP(hash).plaintextByteCountLimit(kind) ?? 0)
                >= SessionCipher.keyByteCount(for: kind)
        default: false
        }
    }

    /// Returns the largest plaintext under keys of the kind, in bytes; `nil` for any size.
    func plaintextByteCountLimit(_ kind: KeyKind) -> Int? {
        switch self {
        case .rsaRaw: kind.blockByteCount
        case .rsaPKCS1v15: kind.blockByteCount - 11
        case .rsaOAEP(let hash): kind.blockByteCount - 2 * hash.byteCount - 2
        case .rsaOAEPAESGCM, .ecies: nil
        }
    }
}
