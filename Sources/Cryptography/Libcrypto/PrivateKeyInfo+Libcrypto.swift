import Secrets

@_implementationOnly import CCrypto

/// Conversions of private keys to and from libcrypto's PrivateKeyInfo.
enum PrivateKeyInfo {
    /// Creates libcrypto's object; the caller frees it with `PKCS8_PRIV_KEY_INFO_free`.
    ///
    /// - Throws: `backend`.
    static func pointer(to privateKey: PrivateKey) throws(CryptographyError) -> OpaquePointer {
        try privateKey.pkcs8().withUnsafeBytes { bytes throws(CryptographyError) in
            var cursor = bytes.bindMemory(to: UInt8.self).baseAddress
            return try require(d2i_PKCS8_PRIV_KEY_INFO(nil, &cursor, bytes.count))
        }
    }

    /// Reads libcrypto's object.
    ///
    /// - Throws: `damaged`; `unsupported` for a kind of key that is not known here.
    static func privateKey(_ info: OpaquePointer) throws(PKCS12Error) -> PrivateKey {
        let byteCount = i2d_PKCS8_PRIV_KEY_INFO(info, nil)
        guard byteCount > 0 else { throw .damaged }
        let pkcs8 = Secret(byteCount: Int(byteCount)) { output in
            var cursor = output.bindMemory(to: UInt8.self).baseAddress
            i2d_PKCS8_PRIV_KEY_INFO(info, &cursor)
        }
        do throws(CryptographyError) {
            return try PrivateKey(pkcs8: pkcs8)
        } catch {
            throw error == .unknownKeyKind ? .unsupported("kind of key") : .damaged
        }
    }
}
