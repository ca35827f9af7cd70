import CCrypto
import Secrets

extension KeyEnvelope {
    /// Decrypts checked input; see `open`.
    static func decrypt(
        _ sealed: UnsafeRawBufferPointer,
        wrappedKey: UnsafeRawBufferPointer,
        nonce: UnsafeRawBufferPointer,
        under wrappingKey: borrowing Secret,
        authenticating authenticatedData: [UInt8]
    ) throws(CryptographyError) -> Secret {
        let context = try CipherContext()
        try wrappingKey.withUnsafeBytes { key throws(CryptographyError) in
            try context.start(.aes256GCM, .decrypt, key: key, nonce: nonce)
        }
        try context.authenticate(authenticatedData)
        let key = try AESGCM.decrypt(wrappedKey, with: context)
        try key.withUnsafeBytes { key throws(CryptographyError) in
            try context.startOver(.decrypt, key: key, nonce: nonce)
        }
        return try AESGCM.decrypt(sealed, with: context)
    }
}
