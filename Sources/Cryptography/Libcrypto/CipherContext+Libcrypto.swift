@_implementationOnly import CCrypto

/// One use of a cipher; libcrypto cleanses the key schedule when it ends.
struct CipherContext: ~Copyable {
    /// The direction of a cipher.
    enum Direction: Int32 {
        case decrypt = 0
        case encrypt = 1
    }

    /// The libcrypto object, owned by this value.
    let pointer: OpaquePointer

    /// Creates a context without cipher or key.
    ///
    /// - Throws: `backend` when memory is short.
    init() throws(CryptographyError) {
        pointer = try require(EVP_CIPHER_CTX_new())
    }

    deinit {
        EVP_CIPHER_CTX_free(pointer)
    }

    /// Sets cipher, direction, key and nonce.
    ///
    /// - Parameters:
    ///   - algorithm: The cipher.
    ///   - direction: Whether to encrypt or decrypt.
    ///   - key: Exactly as many bytes as the cipher's key has.
    ///   - nonce: As many bytes as the cipher's nonce has by default.
    /// - Throws: `backend`.
    borrowing func start(
        _ algorithm: Algorithm,
        _ direction: Direction,
        key: UnsafeRawBufferPointer,
        nonce: UnsafeRawBufferPointer
    ) throws(CryptographyError) {
        let cipher = try algorithm.pointer()
        let keyBytes = key.bindMemory(to: UInt8.self).baseAddress
        let nonceBytes = nonce.bindMemory(to: UInt8.self).baseAddress
        let way = direction.rawValue
        try require(EVP_CipherInit_ex2(pointer, cipher, keyBytes, nonceBytes, way, nil))
    }

    /// Starts another message with the same cipher.
    ///
    /// - Parameters:
    ///   - direction: Whether to encrypt or decrypt.
    ///   - key: Exactly as many bytes as the cipher's key has.
    ///   - nonce: As many bytes as the cipher's nonce has by default.
    /// - Throws: `backend`.
    borrowing func startOver(
        _ direction: Direction,
        key: UnsafeRawBufferPointer,
        nonce: UnsafeRawBufferPointer
    ) throws(CryptographyError) {
        let keyBytes = key.bindMemory(to: UInt8.self).baseAddress
        let nonceBytes = nonce.bindMemory(to: UInt8.self).baseAddress
        let way = direction.rawValue
        try require(EVP_CipherInit_ex2(pointer, nil, keyBytes, nonceBytes, way, nil))
    }

    /// Processes bytes that are only authenticated.
    ///
    /// - Parameter bytes: At most `Int32.max` bytes.
    /// - Throws: `backend`.
    borrowing func authenticate(_ bytes: [UInt8]) throws(CryptographyError) {
        guard !bytes.isEmpty else { return }
        var written: Int32 = 0
        try require(EVP_CipherUpdate(pointer, nil, &written, bytes, Int32(bytes.count)))
    }

    /// Processes bytes and writes the result.
    ///
    /// - Parameters:
    ///   - input: At most `Int32.max` bytes.
    ///   - output: Large enough for the result.
    /// - Throws: `backend`.
    borrowing func update(
        _ input: UnsafeRawBufferPointer,
        into output: UnsafeMutableRawBufferPointer
    ) throws(CryptographyError) {
        guard !input.isEmpty else { return }
        var written: Int32 = 0
        try require(
            EVP_CipherUpdate(
                pointer,
                output.bindMemory(to: UInt8.self).baseAddress,
                &written,
                input.bindMemory(to: UInt8.self).baseAddress,
                Int32(input.count)
            )
        )
    }

    /// Ends the message; with a decrypting authenticated cipher this is the check of the tag.
    ///
    /// - Throws: `backend`.
    borrowing func finish() throws(CryptographyError) {
        var written: Int32 = 0
        var none: UInt8 = 0
        try require(EVP_CipherFinal_ex(pointer, &none, &written))
    }
}
