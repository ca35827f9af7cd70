@_implementationOnly import CCrypto

extension KeyHandle {
    /// Signs a prepared digest; ECDSA signatures come in DER.
    ///
    /// - Throws: `backend`.
    func sign(_ input: SignatureInput) throws(CryptographyError) -> [UInt8] {
        let context = try KeyContext(self)
        try require(EVP_PKEY_sign_init(context.pointer))
        try context.setPadding(of: input)
        var signature = [UInt8](repeating: 0, count: Int(EVP_PKEY_get_size(pointer)))
        var byteCount = signature.count
        try require(
            EVP_PKEY_sign(context.pointer, &signature, &byteCount, input.bytes, input.bytes.count)
        )
        return Array(signature.prefix(byteCount))
    }

    /// Verifies a signature over a prepared digest; ECDSA signatures come in DER.
    ///
    /// - Throws: `backend` when the check cannot be set up.
    func verify(
        _ signature: [UInt8],
        _ input: SignatureInput
    ) throws(CryptographyError) -> Bool {
        let context = try KeyContext(self)
        try require(EVP_PKEY_verify_init(context.pointer))
        try context.setPadding(of: input)
        let result = EVP_PKEY_verify(
            context.pointer,
            signature,
            signature.count,
            input.bytes,
            input.bytes.count
        )
        forgetEarlierErrors()
        return result == 1
    }

    /// Signs a message with Ed25519.
    ///
    /// - Throws: `backend`.
    func signEdwards(_ message: [UInt8]) throws(CryptographyError) -> [UInt8] {
        forgetEarlierErrors()
        let context = try require(EVP_MD_CTX_new())
        defer { EVP_MD_CTX_free(context) }
        try require(EVP_DigestSignInit(context, nil, nil, nil, pointer))
        var signature = [UInt8](repeating: 0, count: 64)
        var byteCount = signature.count
        try require(EVP_DigestSign(context, &signature, &byteCount, message, message.count))
        return signature
    }

    /// Verifies an Ed25519 signature.
    ///
    /// - Throws: `backend` when the check cannot be set up.
    func verifyEdwards(
        _ signature: [UInt8],
        message: [UInt8]
    ) throws(CryptographyError) -> Bool {
        forgetEarlierErrors()
        let context = try require(EVP_MD_CTX_new())
        defer { EVP_MD_CTX_free(context) }
        try require(EVP_DigestVerifyInit(context, nil, nil, nil, pointer))
        let result = EVP_DigestVerify(context, signature, signature.count, message, message.count)
        forgetEarlierErrors()
        return result == 1
    }
}
