// ★ Table: Apple's names for the schemes of KeyScheme, one row each.

import KeychainModel

extension SecKeyAlgorithm {
    /// The raw shared secret.
    public static let ecdhKeyExchangeStandard = SecKeyAlgorithm(
        .exchange(cofactor: false, nil)
    )
    /// The shared secret through the X9.63 KDF with SHA1.
    public static let ecdhKeyExchangeStandardX963SHA1 = SecKeyAlgorithm(
        .exchange(cofactor: false, .sha1)
    )
    /// The shared secret through the X9.63 KDF with SHA224.
    public static let ecdhKeyExchangeStandardX963SHA224 = SecKeyAlgorithm(
        .exchange(cofactor: false, .sha224)
    )
    /// The shared secret through the X9.63 KDF with SHA256.
    public static let ecdhKeyExchangeStandardX963SHA256 = SecKeyAlgorithm(
        .exchange(cofactor: false, .sha256)
    )
    /// The shared secret through the X9.63 KDF with SHA384.
    public static let ecdhKeyExchangeStandardX963SHA384 = SecKeyAlgorithm(
        .exchange(cofactor: false, .sha384)
    )
    /// The shared secret through the X9.63 KDF with SHA512.
    public static let ecdhKeyExchangeStandardX963SHA512 = SecKeyAlgorithm(
        .exchange(cofactor: false, .sha512)
    )
    /// The raw shared secret.
    public static let ecdhKeyExchangeCofactor = SecKeyAlgorithm(
        .exchange(cofactor: true, nil)
    )
    /// The shared secret through the X9.63 KDF with SHA1.
    public static let ecdhKeyExchangeCofactorX963SHA1 = SecKeyAlgorithm(
        .exchange(cofactor: true, .sha1)
    )
    /// The shared secret through the X9.63 KDF with SHA224.
    public static let ecdhKeyExchangeCofactorX963SHA224 = SecKeyAlgorithm(
        .exchange(cofactor: true, .sha224)
    )
    /// The shared secret through the X9.63 KDF with SHA256.
    public static let ecdhKeyExchangeCofactorX963SHA256 = SecKeyAlgorithm(
        .exchange(cofactor: true, .sha256)
    )
    /// The shared secret through the X9.63 KDF with SHA384.
    public static let ecdhKeyExchangeCofactorX963SHA384 = SecKeyAlgorithm(
        .exchange(cofactor: true, .sha384)
    )
    /// The shared secret through the X9.63 KDF with SHA512.
    public static let ecdhKeyExchangeCofactorX963SHA512 = SecKeyAlgorithm(
        .exchange(cofactor: true, .sha512)
    )
}
