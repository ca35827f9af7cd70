import Secrets

@_implementationOnly import CCrypto

/// Private keys under a password: EncryptedPrivateKeyInfo, the `ENCRYPTED PRIVATE KEY` of `.pem`
/// files (RFC 5208 §6).
package enum EncryptedPrivateKey {
    /// Opens a key.
    ///
    /// Without an integrity check a wrong password and damage look alike: both are `wrongPassword`.
    ///
    /// - Parameters:
    ///   - der: The whole structure; nothing may follow.
    ///   - password: UTF-8.
    /// - Returns: The key.
    /// - Throws: `PKCS12Error`.
    package static func open(
        _ der: [UInt8],
        password: borrowing Secret
    ) throws(PKCS12Error) -> PrivateKey {
        forgetEarlierErrors()
        defer { forgetEarlierErrors() }
        let structure = try structure(der)
        defer { X509_SIG_free(structure) }
        var algorithm: UnsafePointer<X509_ALGOR>?
        var ciphertext: UnsafePointer<ASN1_OCTET_STRING>?
        X509_SIG_get0(structure, &algorithm, &ciphertext)
        guard let algorithm, ciphertext != nil else { throw .damaged }
        try SafeBagReader.checkIterations(algorithm)
        return try PKCS12Password.withForms(of: password) { forms throws(PKCS12Error) in
            try open(structure, forms[0])
        }
    }

    private static func open(
        _ structure: OpaquePointer,
        _ password: PKCS12Password
    ) throws(PKCS12Error) -> PrivateKey {
        let info = PKCS8_decrypt_ex(
            structure,
            password.pointer,
            password.byteCount,
            LegacyLibrary.shared.pointer,
            nil
        )
        guard let info else { throw .takeLibcryptoFailure(or: .wrongPassword) }
        defer { PKCS8_PRIV_KEY_INFO_free(info) }
        return try PrivateKeyInfo.privateKey(info)
    }

    private static func structure(_ der: [UInt8]) throws(PKCS12Error) -> OpaquePointer {
        let (structure, isWhole) = der.withUnsafeBufferPointer { bytes in
            var cursor = bytes.baseAddress
            let end = bytes.baseAddress?.advanced(by: bytes.count)
            let structure = d2i_X509_SIG(nil, &cursor, bytes.count)
            return (structure, cursor == end)
        }
        guard let structure else { throw .damaged }
        guard isWhole else {
            X509_SIG_free(structure)
            throw .damaged
        }
        return structure
    }

    /// Encrypts a key: AES-256 under PBKDF2 with HMAC-SHA-256.
    ///
    /// - Parameters:
    ///   - privateKey: The key.
    ///   - password: UTF-8; an empty one gives no protection.
    /// - Returns: The structure in DER.
    /// - Throws: `backend`.
    package static func seal(
        _ privateKey: PrivateKey,
        password: borrowing Secret
    ) throws(PKCS12Error) -> [UInt8] {
        forgetEarlierErrors()
        return try PKCS12Password.withForms(of: password) { forms throws(PKCS12Error) in
            do throws(CryptographyError) {
                return try seal(privateKey, forms[0])
            } catch {
                throw .backend("\(error)")
            }
        }
    }

    private static func seal(
        _ privateKey: PrivateKey,
        _ password: PKCS12Password
    ) throws(CryptographyError) -> [UInt8] {
        let info = try PrivateKeyInfo.pointer(to: privateKey)
        defer { PKCS8_PRIV_KEY_INFO_free(info) }
        let structure = try require(
            PKCS8_encrypt(
                -1,
                EVP_aes_256_cbc(),
                password.pointer,
                password.byteCount,
                nil,
                Int32(PKCS12Writer.saltByteCount),
                PKCS12Writer.iterationCount,
                info
            )
        )
        defer { X509_SIG_free(structure) }
        guard let der = encodedDER({ i2d_X509_SIG(structure, $0) }) else {
            throw .backend("key that cannot be encoded")
        }
        return der
    }
}
