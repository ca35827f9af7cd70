// ★ Table: Apple's names for the schemes of KeyScheme, one row each.

import KeychainModel

extension SecKeyAlgorithm {
    /// RSA without padding.
    public static let rsaEncryptionRaw = SecKeyAlgorithm(
        .rsaEncryptionRaw
    )
    /// RSA PKCS#1 v1.5.
    public static let rsaEncryptionPKCS1 = SecKeyAlgorithm(
        .rsaEncryptionPKCS1
    )
    /// RSA OAEP with SHA1.
    public static let rsaEncryptionOAEPSHA1 = SecKeyAlgorithm(
        .rsaOAEP(.sha1, aesGCM: false)
    )
    /// RSA OAEP with SHA224.
    public static let rsaEncryptionOAEPSHA224 = SecKeyAlgorithm(
        .rsaOAEP(.sha224, aesGCM: false)
    )
    /// RSA OAEP with SHA256.
    public static let rsaEncryptionOAEPSHA256 = SecKeyAlgorithm(
        .rsaOAEP(.sha256, aesGCM: false)
    )
    /// RSA OAEP with SHA384.
    public static let rsaEncryptionOAEPSHA384 = SecKeyAlgorithm(
        .rsaOAEP(.sha384, aesGCM: false)
    )
    /// RSA OAEP with SHA512.
    public static let rsaEncryptionOAEPSHA512 = SecKeyAlgorithm(
        .rsaOAEP(.sha512, aesGCM: false)
    )
    /// AES-GCM under a session key that RSA OAEP with SHA1 wraps.
    public static let rsaEncryptionOAEPSHA1AESGCM = SecKeyAlgorithm(
        .rsaOAEP(.sha1, aesGCM: true)
    )
    /// AES-GCM under a session key that RSA OAEP with SHA224 wraps.
    public static let rsaEncryptionOAEPSHA224AESGCM = SecKeyAlgorithm(
        .rsaOAEP(.sha224, aesGCM: true)
    )
    /// AES-GCM under a session key that RSA OAEP with SHA256 wraps.
    public static let rsaEncryptionOAEPSHA256AESGCM = SecKeyAlgorithm(
        .rsaOAEP(.sha256, aesGCM: true)
    )
    /// AES-GCM under a session key that RSA OAEP with SHA384 wraps.
    public static let rsaEncryptionOAEPSHA384AESGCM = SecKeyAlgorithm(
        .rsaOAEP(.sha384, aesGCM: true)
    )
    /// AES-GCM under a session key that RSA OAEP with SHA512 wraps.
    public static let rsaEncryptionOAEPSHA512AESGCM = SecKeyAlgorithm(
        .rsaOAEP(.sha512, aesGCM: true)
    )
    /// ECIES, X9.63 KDF with SHA1, AES-GCM with a zero IV.
    public static let eciesEncryptionStandardX963SHA1AESGCM = SecKeyAlgorithm(
        .ecies(cofactor: false, .sha1, variableIV: false)
    )
    /// ECIES, X9.63 KDF with SHA224, AES-GCM with a zero IV.
    public static let eciesEncryptionStandardX963SHA224AESGCM = SecKeyAlgorithm(
        .ecies(cofactor: false, .sha224, variableIV: false)
    )
    /// ECIES, X9.63 KDF with SHA256, AES-GCM with a zero IV.
    public static let eciesEncryptionStandardX963SHA256AESGCM = SecKeyAlgorithm(
        .ecies(cofactor: false, .sha256, variableIV: false)
    )
    /// ECIES, X9.63 KDF with SHA384, AES-GCM with a zero IV.
    public static let eciesEncryptionStandardX963SHA384AESGCM = SecKeyAlgorithm(
        .ecies(cofactor: false, .sha384, variableIV: false)
    )
    /// ECIES, X9.63 KDF with SHA512, AES-GCM with a zero IV.
    public static let eciesEncryptionStandardX963SHA512AESGCM = SecKeyAlgorithm(
        .ecies(cofactor: false, .sha512, variableIV: false)
    )
    /// ECIES, X9.63 KDF with SHA224, AES-GCM with a derived IV.
    public static let eciesEncryptionStandardVariableIVX963SHA224AESGCM = SecKeyAlgorithm(
        .ecies(cofactor: false, .sha224, variableIV: true)
    )
    /// ECIES, X9.63 KDF with SHA256, AES-GCM with a derived IV.
    public static let eciesEncryptionStandardVariableIVX963SHA256AESGCM = SecKeyAlgorithm(
        .ecies(cofactor: false, .sha256, variableIV: true)
    )
    /// ECIES, X9.63 KDF with SHA384, AES-GCM with a derived IV.
    public static let eciesEncryptionStandardVariableIVX963SHA384AESGCM = SecKeyAlgorithm(
        .ecies(cofactor: false, .sha384, variableIV: true)
    )
    /// ECIES, X9.63 KDF with SHA512, AES-GCM with a derived IV.
    public static let eciesEncryptionStandardVariableIVX963SHA512AESGCM = SecKeyAlgorithm(
        .ecies(cofactor: false, .sha512, variableIV: true)
    )
    /// ECIES, X9.63 KDF with SHA1, AES-GCM with a zero IV.
    public static let eciesEncryptionCofactorX963SHA1AESGCM = SecKeyAlgorithm(
        .ecies(cofactor: true, .sha1, variableIV: false)
    )
    /// ECIES, X9.63 KDF with SHA224, AES-GCM with a zero IV.
    public static let eciesEncryptionCofactorX963SHA224AESGCM = SecKeyAlgorithm(
        .ecies(cofactor: true, .sha224, variableIV: false)
    )
    /// ECIES, X9.63 KDF with SHA256, AES-GCM with a zero IV.
    public static let eciesEncryptionCofactorX963SHA256AESGCM = SecKeyAlgorithm(
        .ecies(cofactor: true, .sha256, variableIV: false)
    )
    /// ECIES, X9.63 KDF with SHA384, AES-GCM with a zero IV.
    public static let eciesEncryptionCofactorX963SHA384AESGCM = SecKeyAlgorithm(
        .ecies(cofactor: true, .sha384, variableIV: false)
    )
    /// ECIES, X9.63 KDF with SHA512, AES-GCM with a zero IV.
    public static let eciesEncryptionCofactorX963SHA512AESGCM = SecKeyAlgorithm(
        .ecies(cofactor: true, .sha512, variableIV: false)
    )
    /// ECIES, X9.63 KDF with SHA224, AES-GCM with a derived IV.
    public static let eciesEncryptionCofactorVariableIVX963SHA224AESGCM = SecKeyAlgorithm(
        .ecies(cofactor: true, .sha224, variableIV: true)
    )
    /// ECIES, X9.63 KDF with SHA256, AES-GCM with a derived IV.
    public static let eciesEncryptionCofactorVariableIVX963SHA256AESGCM = SecKeyAlgorithm(
        .ecies(cofactor: true, .sha256, variableIV: true)
    )
    /// ECIES, X9.63 KDF with SHA384, AES-GCM with a derived IV.
    public static let eciesEncryptionCofactorVariableIVX963SHA384AESGCM = SecKeyAlgorithm(
        .ecies(cofactor: true, .sha384, variableIV: true)
    )
    /// ECIES, X9.63 KDF with SHA512, AES-GCM with a derived IV.
    public static let eciesEncryptionCofactorVariableIVX963SHA512AESGCM = SecKeyAlgorithm(
        .ecies(cofactor: true, .sha512, variableIV: true)
    )
}
