import Secrets

/// Diffie-Hellman in the Second Oakley Group: a prime of 1024 bits, generator 2.
///
/// Only for protocols that prescribe it: the Secret Service agrees on keys with clients of the same
/// account over their message bus.
/// - Source: RFC 2409 §6.2.
package enum SecondOakleyGroup {
    /// The size of the prime, of public values and of shared secrets, in bytes.
    package static let byteCount = 128

    /// The size of a private exponent in bytes: twice the strength of the group, and more.
    package static let exponentByteCount = 40

    /// Computes the public value of an exponent.
    ///
    /// - Parameter exponent: 40 random bytes.
    /// - Returns: 128 bytes, big-endian, zeros in front.
    /// - Throws: `invalidKeySize` or `backend`.
    package static func publicValue(
        of exponent: borrowing Secret
    ) throws(CryptographyError) -> [UInt8] {
        try check(exponent)
        return try power(of: [2], exponent).copyBytesUnprotected()
    }

    /// Computes the secret that both sides share.
    ///
    /// - Parameters:
    ///   - exponent: 40 random bytes.
    ///   - peer: The other side's public value, big-endian; zeros in front are ignored.
    /// - Returns: 128 bytes, big-endian, **zeros in front**.
    /// - Throws: `invalidInput` for 0, 1, p - 1, p and everything above; `invalidKeySize` or
    ///   `backend`.
    package static func sharedSecret(
        of exponent: borrowing Secret,
        with peer: [UInt8]
    ) throws(CryptographyError) -> Secret {
        try check(exponent)
        let digits = Array(peer.drop { $0 == 0 })
        guard digits.count <= byteCount, try isPublicValue(digits) else {
            throw .invalidInput("a public value is from 2 to p - 2")
        }
        return try power(of: digits, exponent)
    }

    private static func check(_ exponent: borrowing Secret) throws(CryptographyError) {
        guard exponent.byteCount == exponentByteCount else {
            throw .invalidKeySize(expected: exponentByteCount, actual: exponent.byteCount)
        }
    }
}
