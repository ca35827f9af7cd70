@_implementationOnly import CCrypto

extension PKCS12Error {
    /// Explains a failure from this thread's error queue and empties it.
    ///
    /// - Parameter other: The error to report unless libcrypto lacks an algorithm.
    /// - Returns: `unsupported` or `other`.
    static func takeLibcryptoFailure(or other: PKCS12Error) -> PKCS12Error {
        var isUnsupported = false
        while true {
            let code = ERR_get_error()
            guard code != 0 else { break }
            isUnsupported = isUnsupported || reports(code)
        }
        return isUnsupported ? .unsupported("algorithm of the file") : other
    }

    /// Whether an error code says that an algorithm is missing.
    private static func reports(_ code: UInt) -> Bool {
        let reason = ERR_GET_REASON(code)
        switch ERR_GET_LIB(code) {
        case ERR_LIB_EVP:
            return [
                EVP_R_UNKNOWN_PBE_ALGORITHM, EVP_R_UNKNOWN_CIPHER, EVP_R_UNKNOWN_DIGEST,
                EVP_R_UNSUPPORTED_ALGORITHM, EVP_R_UNSUPPORTED_CIPHER, EVP_R_UNSUPPORTED_PRF,
                EVP_R_UNSUPPORTED_KEY_DERIVATION_FUNCTION,
            ].contains(reason) || reason == unsupported
        case ERR_LIB_PKCS12:
            return reason == PKCS12_R_UNKNOWN_DIGEST_ALGORITHM || reason == unsupported
        default: return reason == unsupported
        }
    }

    /// ERR_R_UNSUPPORTED, a macro that Swift does not see: reason 268, and common to all parts.
    private static let unsupported: Int32 = (268 | (0x2 << 18))
}
