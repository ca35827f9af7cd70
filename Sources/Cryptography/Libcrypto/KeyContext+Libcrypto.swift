@_implementationOnly import CCrypto

/// One use of a key.
struct KeyContext: ~Copyable {
    /// The libcrypto object, owned by this value.
    let pointer: OpaquePointer

    /// Creates a context for a key, which must outlive it.
    ///
    /// - Throws: `backend` when memory is short.
    init(_ key: borrowing KeyHandle) throws(CryptographyError) {
        forgetEarlierErrors()
        pointer = try require(EVP_PKEY_CTX_new_from_pkey(nil, key.pointer, nil))
    }

    deinit {
        EVP_PKEY_CTX_free(pointer)
    }

    /// Sets the padding of a signed digest.
    ///
    /// - Throws: `backend`.
    borrowing func setPadding(of input: SignatureInput) throws(CryptographyError) {
        guard let padding = input.padding else { return }
        if let hash = input.hash {
            try require(EVP_PKEY_CTX_set_signature_md(pointer, hash.pointer()))
        }
        switch padding {
        case .none: try require(EVP_PKEY_CTX_set_rsa_padding(pointer, RSA_NO_PADDING))
        case .pkcs1v15: try require(EVP_PKEY_CTX_set_rsa_padding(pointer, RSA_PKCS1_PADDING))
        case .pss:
            try require(EVP_PKEY_CTX_set_rsa_padding(pointer, RSA_PKCS1_PSS_PADDING))
            try require(EVP_PKEY_CTX_set_rsa_pss_saltlen(pointer, RSA_PSS_SALTLEN_DIGEST))
        case .pssWith(let mask, let saltByteCount):
            try require(EVP_PKEY_CTX_set_rsa_padding(pointer, RSA_PKCS1_PSS_PADDING))
            try require(EVP_PKEY_CTX_set_rsa_mgf1_md(pointer, mask.pointer()))
            try require(EVP_PKEY_CTX_set_rsa_pss_saltlen(pointer, Int32(saltByteCount)))
        }
    }

    /// Sets the padding of an encrypted block.
    ///
    /// - Throws: `backend`.
    borrowing func setPadding(_ padding: EncryptionPadding) throws(CryptographyError) {
        switch padding {
        case .none: try require(EVP_PKEY_CTX_set_rsa_padding(pointer, RSA_NO_PADDING))
        case .pkcs1v15: try require(EVP_PKEY_CTX_set_rsa_padding(pointer, RSA_PKCS1_PADDING))
        case .oaep(let hash):
            try require(EVP_PKEY_CTX_set_rsa_padding(pointer, RSA_PKCS1_OAEP_PADDING))
            try require(EVP_PKEY_CTX_set_rsa_oaep_md(pointer, hash.pointer()))
            try require(EVP_PKEY_CTX_set_rsa_mgf1_md(pointer, hash.pointer()))
        }
    }
}
