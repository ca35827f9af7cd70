/// Derivation of keys from passwords (RFC 8018), for data and interfaces that require it.
///
/// The data that this package seals under a passcode use Argon2id.
package enum PBKDF2 {
    /// Derives a key.
    ///
    /// - Parameters:
    ///   - password: Any size.
    ///   - salt: Any size.
    ///   - hash: The hash function of the HMAC.
    ///   - rounds: From 1 to `Int32.max`.
    ///   - key: Receives the key; not empty.
    /// - Throws: `invalidInput` for a number of rounds or a size outside the limits; `backend`.
    package static func derive(
        _ password: UnsafeRawBufferPointer,
        salt: UnsafeRawBufferPointer,
        hash: HashAlgorithm,
        rounds: Int,
        into key: UnsafeMutableRawBufferPointer
    ) throws(CryptographyError) {
        let sizes = [password.count, salt.count, key.count]
        guard !key.isEmpty, rounds > 0, (sizes + [rounds]).allSatisfy({ $0 <= Int32.max }) else {
            throw .invalidInput("PBKDF2 of no rounds, of no bytes, or of too many")
        }
        try compute(password, salt, hash, rounds, key)
    }
}
