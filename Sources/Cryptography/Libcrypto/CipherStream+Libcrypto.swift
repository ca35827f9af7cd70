@_implementationOnly import CCrypto

extension CipherStream {
    /// Starts the first message; see `init`.
    func start(
        _ name: String,
        _ isLegacy: Bool,
        _ encrypts: Bool,
        _ key: UnsafeRawBufferPointer,
        _ vector: [UInt8]
    ) throws(CryptographyError) {
        forgetEarlierErrors()
        let library = isLegacy ? LegacyLibrary.shared.pointer : nil
        let cipher = try require(EVP_CIPHER_fetch(library, name, nil))
        // The context counts as a user of the cipher.
        defer { EVP_CIPHER_free(cipher) }
        let way: Int32 = encrypts ? 1 : 0
        let pointer = context.pointer
        try require(EVP_CipherInit_ex2(pointer, cipher, nil, nil, way, nil))
        try require(EVP_CIPHER_CTX_set_key_length(pointer, Int32(key.count)))
        let bytes = key.bindMemory(to: UInt8.self).baseAddress
        try require(EVP_CipherInit_ex2(pointer, nil, bytes, vector, way, nil))
        try require(EVP_CIPHER_CTX_set_padding(pointer, 0))
    }

    /// Starts another message; see `restart`.
    func restart(_ vector: [UInt8]) throws(CryptographyError) {
        forgetEarlierErrors()
        try require(EVP_CipherInit_ex2(context.pointer, nil, nil, vector, -1, nil))
        try require(EVP_CIPHER_CTX_set_padding(context.pointer, 0))
    }

    /// Overwrites memory that held a key or a message.
    package func wipe(_ bytes: UnsafeMutableRawBufferPointer) {
        guard let address = bytes.baseAddress else { return }
        OPENSSL_cleanse(address, bytes.count)
    }
}
