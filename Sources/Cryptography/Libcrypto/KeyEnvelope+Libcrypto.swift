import Secrets

@_implementationOnly import CCrypto

extension KeyEnvelope {
    /// Decrypts checked input; see `open`.
    static func decrypt(
        _ sealed: UnsafeRawBufferPointer,
        wrappedKey: UnsafeRawBufferPointer,
        nonce: UnsafeRawBufferPointer,
        under wrappingKey: borrowing Secret,
        authenticating authenticatedData: [UInt8]
    ) throws(CryptographyError) -> Secret {
        let context = try AESGCM.decryptingContext(
            key: wrappingKey,
            nonce: nonce,
            authenticating: authenticatedData
        )
        let key = try AESGCM.decrypt(wrappedKey, with: context)
        try key.withUnsafeBytes { key throws(CryptographyError) in
            try context.startOver(.decrypt, key: key, nonce: nonce)
        }
        return try AESGCM.decrypt(sealed, with: context)
    }
}
