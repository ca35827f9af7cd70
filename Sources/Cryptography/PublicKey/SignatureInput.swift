/// The input of libcrypto for signing or verifying: bytes, and their properties.
struct SignatureInput {
    /// The padding of an RSA signature.
    enum Padding {
        case none
        case pkcs1v15
        case pss
        /// PSS with its own hash for the mask, and a salt of a given size.
        case pssWith(mask: HashAlgorithm, saltByteCount: Int)
    }

    /// The digest, or for raw RSA the block.
    let bytes: [UInt8]

    /// `nil` for keys other than RSA.
    let padding: Padding?

    /// The hash that the padding names; `nil` if it names none.
    let hash: HashAlgorithm?

    /// The encoding of an ECDSA signature.
    let encoding: SignatureAlgorithm.ECDSAEncoding

    private init(
        _ bytes: [UInt8],
        padding: Padding? = nil,
        hash: HashAlgorithm? = nil,
        encoding: SignatureAlgorithm.ECDSAEncoding = .x962
    ) {
        self.bytes = bytes
        self.padding = padding
        self.hash = hash
        self.encoding = encoding
    }

    /// Hashes or checks the caller's input.
    ///
    /// - Parameters:
    ///   - input: A digest or a message, as the algorithm requires.
    ///   - algorithm: Any algorithm except Ed25519, which does its own hashing.
    ///   - kind: The key's kind, which the algorithm suits.
    /// - Throws: `invalidInput` for a digest of the wrong size; `backend`.
    init(
        _ input: [UInt8],
        algorithm: SignatureAlgorithm,
        kind: KeyKind
    ) throws(CryptographyError) {
        switch algorithm {
        case .rsaRaw:
            let missing = kind.blockByteCount - input.count
            guard missing >= 0 else { throw .invalidInput("more than a block to sign") }
            self.init([UInt8](repeating: 0, count: missing) + input, padding: Padding.none)
        case .rsaPKCS1v15Raw:
            guard input.count + 11 <= kind.blockByteCount else {
                throw .invalidInput("more to sign than the padding leaves room for")
            }
            self.init(input, padding: .pkcs1v15)
        case .rsaPKCS1v15(let hash, let form):
            self.init(try hash.digest(input, form), padding: .pkcs1v15, hash: hash)
        case .rsaPSS(let hash, let form):
            self.init(try hash.digest(input, form), padding: .pss, hash: hash)
        case .rsaPSSWith(let hash, let mask, let saltByteCount):
            let padding = Padding.pssWith(mask: mask, saltByteCount: saltByteCount)
            self.init(try hash.digest(input, .digest), padding: padding, hash: hash)
        case .ecdsaDigest(let encoding):
            guard !input.isEmpty else { throw .invalidInput("empty digest") }
            self.init(input, encoding: encoding)
        case .ecdsa(let hash, let form, let encoding):
            self.init(try hash.digest(input, form), encoding: encoding)
        case .ed25519: throw .invalidInput("Ed25519 takes messages only")
        }
    }
}

extension HashAlgorithm {
    /// Returns the digest of a message, or a given digest after its size is checked.
    fileprivate func digest(
        _ input: [UInt8],
        _ form: SignatureAlgorithm.Input
    ) throws(CryptographyError) -> [UInt8] {
        guard form == .digest else { return try hash(input) }
        guard input.count == byteCount else { throw .invalidInput("digest of another size") }
        return input
    }
}
