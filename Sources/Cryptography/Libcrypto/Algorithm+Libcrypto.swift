@_implementationOnly import CCrypto

/// A libcrypto algorithm, looked up once and kept for the life of the process.
///
/// A lookup by name costs microseconds, more than most operations here.
/// `@unchecked Sendable` is sound because libcrypto never changes a fetched algorithm and counts
/// its users atomically.
struct Algorithm: @unchecked Sendable {
    /// AES-256 in Galois/counter mode.
    static let aes256GCM = Algorithm(EVP_CIPHER_fetch(nil, "AES-256-GCM", nil))

    /// AES-256 block by block, the basis of the key wrap of RFC 3394.
    static let aes256Block = Algorithm(EVP_CIPHER_fetch(nil, "AES-256-ECB", nil))

    /// HMAC with any digest.
    static let hmac = Algorithm(EVP_MAC_fetch(nil, "HMAC", nil))

    /// HKDF with any digest.
    static let hkdf = Algorithm(EVP_KDF_fetch(nil, "HKDF", nil))

    /// SHA-1.
    static let sha1 = Algorithm(EVP_MD_fetch(nil, "SHA1", nil))

    /// SHA-256.
    static let sha256 = Algorithm(EVP_MD_fetch(nil, "SHA2-256", nil))

    private let object: OpaquePointer?

    private init(_ object: OpaquePointer?) {
        self.object = object
    }

    /// Returns the algorithm's libcrypto object.
    ///
    /// - Throws: `backend` when this libcrypto does not have the algorithm.
    func pointer() throws(CryptographyError) -> OpaquePointer {
        try require(object)
    }
}
