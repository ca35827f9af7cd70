// ★ Table: Apple's names for the schemes of KeyScheme, one row each.

import Cryptography

extension SecKeyAlgorithm {
    /// Standard Diffie–Hellman without a derivation; the result is an x coordinate.
    public static let ecdhKeyExchangeStandard = SecKeyAlgorithm(
        .exchange(nil, cofactor: false)
    )
    /// Standard Diffie–Hellman, then the X9.63 KDF with SHA-1.
    public static let ecdhKeyExchangeStandardX963SHA1 = SecKeyAlgorithm(
        .exchange(.sha1, cofactor: false)
    )
    /// Standard Diffie–Hellman, then the X9.63 KDF with SHA-224.
    public static let ecdhKeyExchangeStandardX963SHA224 = SecKeyAlgorithm(
        .exchange(.sha224, cofactor: false)
    )
    /// Standard Diffie–Hellman, then the X9.63 KDF with SHA-256.
    public static let ecdhKeyExchangeStandardX963SHA256 = SecKeyAlgorithm(
        .exchange(.sha256, cofactor: false)
    )
    /// Standard Diffie–Hellman, then the X9.63 KDF with SHA-384.
    public static let ecdhKeyExchangeStandardX963SHA384 = SecKeyAlgorithm(
        .exchange(.sha384, cofactor: false)
    )
    /// Standard Diffie–Hellman, then the X9.63 KDF with SHA-512.
    public static let ecdhKeyExchangeStandardX963SHA512 = SecKeyAlgorithm(
        .exchange(.sha512, cofactor: false)
    )
    /// Cofactor Diffie–Hellman without a derivation; the result is an x coordinate.
    public static let ecdhKeyExchangeCofactor = SecKeyAlgorithm(
        .exchange(nil, cofactor: true)
    )
    /// Cofactor Diffie–Hellman, then the X9.63 KDF with SHA-1.
    public static let ecdhKeyExchangeCofactorX963SHA1 = SecKeyAlgorithm(
        .exchange(.sha1, cofactor: true)
    )
    /// Cofactor Diffie–Hellman, then the X9.63 KDF with SHA-224.
    public static let ecdhKeyExchangeCofactorX963SHA224 = SecKeyAlgorithm(
        .exchange(.sha224, cofactor: true)
    )
    /// Cofactor Diffie–Hellman, then the X9.63 KDF with SHA-256.
    public static let ecdhKeyExchangeCofactorX963SHA256 = SecKeyAlgorithm(
        .exchange(.sha256, cofactor: true)
    )
    /// Cofactor Diffie–Hellman, then the X9.63 KDF with SHA-384.
    public static let ecdhKeyExchangeCofactorX963SHA384 = SecKeyAlgorithm(
        .exchange(.sha384, cofactor: true)
    )
    /// Cofactor Diffie–Hellman, then the X9.63 KDF with SHA-512.
    public static let ecdhKeyExchangeCofactorX963SHA512 = SecKeyAlgorithm(
        .exchange(.sha512, cofactor: true)
    )
}
