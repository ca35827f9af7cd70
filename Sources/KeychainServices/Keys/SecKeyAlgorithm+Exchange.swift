// ★ Table: Apple's names for the schemes of KeyScheme, one row each.

import Cryptography

extension SecKeyAlgorithm {
    /// The raw shared secret.
    public static let ecdhKeyExchangeStandard = SecKeyAlgorithm(
        .exchange(nil, cofactor: false)
    )
    /// The shared secret through the X9.63 KDF with SHA1.
    public static let ecdhKeyExchangeStandardX963SHA1 = SecKeyAlgorithm(
        .exchange(.sha1, cofactor: false)
    )
    /// The shared secret through the X9.63 KDF with SHA224.
    public static let ecdhKeyExchangeStandardX963SHA224 = SecKeyAlgorithm(
        .exchange(.sha224, cofactor: false)
    )
    /// The shared secret through the X9.63 KDF with SHA256.
    public static let ecdhKeyExchangeStandardX963SHA256 = SecKeyAlgorithm(
        .exchange(.sha256, cofactor: false)
    )
    /// The shared secret through the X9.63 KDF with SHA384.
    public static let ecdhKeyExchangeStandardX963SHA384 = SecKeyAlgorithm(
        .exchange(.sha384, cofactor: false)
    )
    /// The shared secret through the X9.63 KDF with SHA512.
    public static let ecdhKeyExchangeStandardX963SHA512 = SecKeyAlgorithm(
        .exchange(.sha512, cofactor: false)
    )
    /// The raw shared secret.
    public static let ecdhKeyExchangeCofactor = SecKeyAlgorithm(
        .exchange(nil, cofactor: true)
    )
    /// The shared secret through the X9.63 KDF with SHA1.
    public static let ecdhKeyExchangeCofactorX963SHA1 = SecKeyAlgorithm(
        .exchange(.sha1, cofactor: true)
    )
    /// The shared secret through the X9.63 KDF with SHA224.
    public static let ecdhKeyExchangeCofactorX963SHA224 = SecKeyAlgorithm(
        .exchange(.sha224, cofactor: true)
    )
    /// The shared secret through the X9.63 KDF with SHA256.
    public static let ecdhKeyExchangeCofactorX963SHA256 = SecKeyAlgorithm(
        .exchange(.sha256, cofactor: true)
    )
    /// The shared secret through the X9.63 KDF with SHA384.
    public static let ecdhKeyExchangeCofactorX963SHA384 = SecKeyAlgorithm(
        .exchange(.sha384, cofactor: true)
    )
    /// The shared secret through the X9.63 KDF with SHA512.
    public static let ecdhKeyExchangeCofactorX963SHA512 = SecKeyAlgorithm(
        .exchange(.sha512, cofactor: true)
    )
}
