@_implementationOnly import CCrypto

extension HashAlgorithm {
    /// Returns libcrypto's object, which lives as long as the process.
    ///
    /// - Throws: `backend` when this libcrypto does not have the function.
    func pointer() throws(CryptographyError) -> OpaquePointer {
        switch self {
        case .sha1: try require(EVP_sha1())
        case .sha224: try require(EVP_sha224())
        case .sha256: try require(EVP_sha256())
        case .sha384: try require(EVP_sha384())
        case .sha512: try require(EVP_sha512())
        }
    }

    /// Hashes a message.
    ///
    /// - Throws: `backend`.
    package func hash(_ message: [UInt8]) throws(CryptographyError) -> [UInt8] {
        forgetEarlierErrors()
        var hash = [UInt8](repeating: 0, count: byteCount)
        try require(EVP_Digest(message, message.count, &hash, nil, pointer(), nil))
        return hash
    }
}
