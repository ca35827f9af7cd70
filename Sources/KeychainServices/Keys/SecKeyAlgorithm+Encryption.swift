// ★ Table: Apple's names for the schemes of KeyScheme, one row each.

import Cryptography

extension SecKeyAlgorithm {
    /// RSA without padding.
    public static let rsaEncryptionRaw = SecKeyAlgorithm(
        .encryption(.rsaRaw, cofactor: false)
    )
    /// RSA PKCS#1 v1.5.
    public static let rsaEncryptionPKCS1 = SecKeyAlgorithm(
        .encryption(.rsaPKCS1v15, cofactor: false)
    )
    /// RSA OAEP with SHA1.
    public static let rsaEncryptionOAEPSHA1 = SecKeyAlgorithm(
        .encryption(.rsaOAEP(.sha1), cofactor: false)
    )
    /// RSA OAEP with SHA224.
    public static let rsaEncryptionOAEPSHA224 = SecKeyAlgorithm(
        .encryption(.rsaOAEP(.sha224), cofactor: false)
    )
    /// RSA OAEP with SHA256.
    public static let rsaEncryptionOAEPSHA256 = SecKeyAlgorithm(
        .encryption(.rsaOAEP(.sha256), cofactor: false)
    )
    /// RSA OAEP with SHA384.
    public static let rsaEncryptionOAEPSHA384 = SecKeyAlgorithm(
        .encryption(.rsaOAEP(.sha384), cofactor: false)
    )
    /// RSA OAEP with SHA512.
    public static let rsaEncryptionOAEPSHA512 = SecKeyAlgorithm(
        .encryption(.rsaOAEP(.sha512), cofactor: false)
    )
    /// AES-GCM under a session key that RSA OAEP with SHA1 wraps.
    public static let rsaEncryptionOAEPSHA1AESGCM = SecKeyAlgorithm(
        .encryption(.rsaOAEPAESGCM(.sha1), cofactor: false)
    )
    /// AES-GCM under a session key that RSA OAEP with SHA224 wraps.
    public static let rsaEncryptionOAEPSHA224AESGCM = SecKeyAlgorithm(
        .encryption(.rsaOAEPAESGCM(.sha224), cofactor: false)
    )
    /// AES-GCM under a session key that RSA OAEP with SHA256 wraps.
    public static let rsaEncryptionOAEPSHA256AESGCM = SecKeyAlgorithm(
        .encryption(.rsaOAEPAESGCM(.sha256), cofactor: false)
    )
    /// AES-GCM under a session key that RSA OAEP with SHA384 wraps.
    public static let rsaEncryptionOAEPSHA384AESGCM = SecKeyAlgorithm(
        .encryption(.rsaOAEPAESGCM(.sha384), cofactor: false)
    )
    /// AES-GCM under a session key that RSA OAEP with SHA512 wraps.
    public static let rsaEncryptionOAEPSHA512AESGCM = SecKeyAlgorithm(
        .encryption(.rsaOAEPAESGCM(.sha512), cofactor: false)
    )
    /// ECIES, X9.63 KDF with SHA1, AES-GCM with a zero IV.
    public static let eciesEncryptionStandardX963SHA1AESGCM = SecKeyAlgorithm(
        .encryption(.ecies(.sha1, .zero), cofactor: false)
    )
    /// ECIES, X9.63 KDF with SHA224, AES-GCM with a zero IV.
    public static let eciesEncryptionStandardX963SHA224AESGCM = SecKeyAlgorithm(
        .encryption(.ecies(.sha224, .zero), cofactor: false)
    )
    /// ECIES, X9.63 KDF with SHA256, AES-GCM with a zero IV.
    public static let eciesEncryptionStandardX963SHA256AESGCM = SecKeyAlgorithm(
        .encryption(.ecies(.sha256, .zero), cofactor: false)
    )
    /// ECIES, X9.63 KDF with SHA384, AES-GCM with a zero IV.
    public static let eciesEncryptionStandardX963SHA384AESGCM = SecKeyAlgorithm(
        .encryption(.ecies(.sha384, .zero), cofactor: false)
    )
    /// ECIES, X9.63 KDF with SHA512, AES-GCM with a zero IV.
    public static let eciesEncryptionStandardX963SHA512AESGCM = SecKeyAlgorithm(
        .encryption(.ecies(.sha512, .zero), cofactor: false)
    )
    /// ECIES, X9.63 KDF with SHA224, AES-GCM with a derived IV.
    public static let eciesEncryptionStandardVariableIVX963SHA224AESGCM = SecKeyAlgorithm(
        .encryption(.ecies(.sha224, .derived), cofactor: false)
    )
    /// ECIES, X9.63 KDF with SHA256, AES-GCM with a derived IV.
    public static let eciesEncryptionStandardVariableIVX963SHA256AESGCM = SecKeyAlgorithm(
        .encryption(.ecies(.sha256, .derived), cofactor: false)
    )
    /// ECIES, X9.63 KDF with SHA384, AES-GCM with a derived IV.
    public static let eciesEncryptionStandardVariableIVX963SHA384AESGCM = SecKeyAlgorithm(
        .encryption(.ecies(.sha384, .derived), cofactor: false)
    )
    /// ECIES, X9.63 KDF with SHA512, AES-GCM with a derived IV.
    public static let eciesEncryptionStandardVariableIVX963SHA512AESGCM = SecKeyAlgorithm(
        .encryption(.ecies(.sha512, .derived), cofactor: false)
    )
    /// ECIES, X9.63 KDF with SHA1, AES-GCM with a zero IV.
    public static let eciesEncryptionCofactorX963SHA1AESGCM = SecKeyAlgorithm(
        .encryption(.ecies(.sha1, .zero), cofactor: true)
    )
    /// ECIES, X9.63 KDF with SHA224, AES-GCM with a zero IV.
    public static let eciesEncryptionCofactorX963SHA224AESGCM = SecKeyAlgorithm(
        .encryption(.ecies(.sha224, .zero), cofactor: true)
    )
    /// ECIES, X9.63 KDF with SHA256, AES-GCM with a zero IV.
    public static let eciesEncryptionCofactorX963SHA256AESGCM = SecKeyAlgorithm(
        .encryption(.ecies(.sha256, .zero), cofactor: true)
    )
    /// ECIES, X9.63 KDF with SHA384, AES-GCM with a zero IV.
    public static let eciesEncryptionCofactorX963SHA384AESGCM = SecKeyAlgorithm(
        .encryption(.ecies(.sha384, .zero), cofactor: true)
    )
    /// ECIES, X9.63 KDF with SHA512, AES-GCM with a zero IV.
    public static let eciesEncryptionCofactorX963SHA512AESGCM = SecKeyAlgorithm(
        .encryption(.ecies(.sha512, .zero), cofactor: true)
    )
    /// ECIES, X9.63 KDF with SHA224, AES-GCM with a derived IV.
    public static let eciesEncryptionCofactorVariableIVX963SHA224AESGCM = SecKeyAlgorithm(
        .encryption(.ecies(.sha224, .derived), cofactor: true)
    )
    /// ECIES, X9.63 KDF with SHA256, AES-GCM with a derived IV.
    public static let eciesEncryptionCofactorVariableIVX963SHA256AESGCM = SecKeyAlgorithm(
        .encryption(.ecies(.sha256, .derived), cofactor: true)
    )
    /// ECIES, X9.63 KDF with SHA384, AES-GCM with a derived IV.
    public static let eciesEncryptionCofactorVariableIVX963SHA384AESGCM = SecKeyAlgorithm(
        .encryption(.ecies(.sha384, .derived), cofactor: true)
    )
    /// ECIES, X9.63 KDF with SHA512, AES-GCM with a derived IV.
    public static let eciesEncryptionCofactorVariableIVX963SHA512AESGCM = SecKeyAlgorithm(
        .encryption(.ecies(.sha512, .derived), cofactor: true)
    )
}
