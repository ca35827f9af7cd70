/// An algorithm for signatures: the scheme, the hash, and the forms of input and output.
package enum SignatureAlgorithm: Sendable, Hashable {
    /// The form of the input: whether the caller has already hashed it.
    package enum Input: Sendable, Hashable, CaseIterable {
        case digest
        case message
    }

    /// The encoding of the two numbers of an ECDSA signature.
    package enum ECDSAEncoding: Sendable, Hashable, CaseIterable {
        /// A DER SEQUENCE of two INTEGERs (ANSI X9.62).
        case x962
        /// Both numbers at full width, one after the other (RFC 4754 §7).
        case rfc4754
    }

    /// The bare RSA operation on at most a block; shorter input gets zeros in front.
    case rsaRaw
    /// PKCS#1 v1.5 padding around the unchanged input, without the name of a hash.
    case rsaPKCS1v15Raw
    /// RSASSA-PKCS1-v1_5 (RFC 8017 §8.2).
    case rsaPKCS1v15(HashAlgorithm, Input)
    /// RSASSA-PSS with a salt as long as the hash and MGF1 on the same hash (RFC 8017 §8.1).
    case rsaPSS(HashAlgorithm, Input)
    /// RSASSA-PSS over a digest, with another hash for the mask or a salt of another size.
    case rsaPSSWith(HashAlgorithm, mask: HashAlgorithm, saltByteCount: Int)
    /// ECDSA over a digest of any size; digests longer than the group order are cut to it.
    case ecdsaDigest(ECDSAEncoding)
    /// ECDSA (FIPS 186-4 §6).
    case ecdsa(HashAlgorithm, Input, ECDSAEncoding)
    /// Ed25519 over a message (RFC 8032 §5.1).
    case ed25519

    /// Whether keys of the kind support the algorithm; RSA moduli must have room for the padding.
    package func suits(_ kind: KeyKind) -> Bool {
        switch (self, kind) {
        case (.rsaRaw, .rsa), (.rsaPKCS1v15Raw, .rsa): true
        case (.rsaPKCS1v15(let hash, _), .rsa):
            kind.blockByteCount >= hash.byteCount + hash.digestInfoHeaderByteCount + 11
        case (.rsaPSS(let hash, _), .rsa(let bitCount)):
            (bitCount + 6) / 8 >= 2 * hash.byteCount + 2
        case (.rsaPSSWith(let hash, _, let saltByteCount), .rsa(let bitCount)):
            saltByteCount >= 0 && saltByteCount <= (bitCount + 6) / 8 - hash.byteCount - 2
        case (.ecdsaDigest, .ellipticCurve), (.ecdsa, .ellipticCurve), (.ed25519, .ed25519): true
        default: false
        }
    }
}
