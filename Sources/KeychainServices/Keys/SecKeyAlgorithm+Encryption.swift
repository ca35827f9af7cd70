// ★ Table: Apple's names for the schemes of KeyScheme, one row each.

import Cryptography

extension SecKeyAlgorithm {
    /// RSA without padding, over as many bytes as the modulus has.
    public static let rsaEncryptionRaw = SecKeyAlgorithm(
        .encryption(.rsaRaw, cofactor: false)
    )
    /// RSA with PKCS#1 v1.5 padding (RFC 8017).
    public static let rsaEncryptionPKCS1 = SecKeyAlgorithm(
        .encryption(.rsaPKCS1v15, cofactor: false)
    )
    /// RSA-OAEP with SHA-1 (RFC 8017).
    public static let rsaEncryptionOAEPSHA1 = SecKeyAlgorithm(
        .encryption(.rsaOAEP(.sha1), cofactor: false)
    )
    /// RSA-OAEP with SHA-224 (RFC 8017).
    public static let rsaEncryptionOAEPSHA224 = SecKeyAlgorithm(
        .encryption(.rsaOAEP(.sha224), cofactor: false)
    )
    /// RSA-OAEP with SHA-256 (RFC 8017).
    public static let rsaEncryptionOAEPSHA256 = SecKeyAlgorithm(
        .encryption(.rsaOAEP(.sha256), cofactor: false)
    )
    /// RSA-OAEP with SHA-384 (RFC 8017).
    public static let rsaEncryptionOAEPSHA384 = SecKeyAlgorithm(
        .encryption(.rsaOAEP(.sha384), cofactor: false)
    )
    /// RSA-OAEP with SHA-512 (RFC 8017).
    public static let rsaEncryptionOAEPSHA512 = SecKeyAlgorithm(
        .encryption(.rsaOAEP(.sha512), cofactor: false)
    )
    /// AES-GCM with a session key, which RSA-OAEP with SHA-1 encrypts.
    public static let rsaEncryptionOAEPSHA1AESGCM = SecKeyAlgorithm(
        .encryption(.rsaOAEPAESGCM(.sha1), cofactor: false)
    )
    /// AES-GCM with a session key, which RSA-OAEP with SHA-224 encrypts.
    public static let rsaEncryptionOAEPSHA224AESGCM = SecKeyAlgorithm(
        .encryption(.rsaOAEPAESGCM(.sha224), cofactor: false)
    )
    /// AES-GCM with a session key, which RSA-OAEP with SHA-256 encrypts.
    public static let rsaEncryptionOAEPSHA256AESGCM = SecKeyAlgorithm(
        .encryption(.rsaOAEPAESGCM(.sha256), cofactor: false)
    )
    /// AES-GCM with a session key, which RSA-OAEP with SHA-384 encrypts.
    public static let rsaEncryptionOAEPSHA384AESGCM = SecKeyAlgorithm(
        .encryption(.rsaOAEPAESGCM(.sha384), cofactor: false)
    )
    /// AES-GCM with a session key, which RSA-OAEP with SHA-512 encrypts.
    public static let rsaEncryptionOAEPSHA512AESGCM = SecKeyAlgorithm(
        .encryption(.rsaOAEPAESGCM(.sha512), cofactor: false)
    )
    /// ECIES: standard Diffie–Hellman, X9.63 KDF with SHA-1, AES-GCM with a zero IV.
    public static let eciesEncryptionStandardX963SHA1AESGCM = SecKeyAlgorithm(
        .encryption(.ecies(.sha1, .zero), cofactor: false)
    )
    /// ECIES: standard Diffie–Hellman, X9.63 KDF with SHA-224, AES-GCM with a zero IV.
    public static let eciesEncryptionStandardX963SHA224AESGCM = SecKeyAlgorithm(
        .encryption(.ecies(.sha224, .zero), cofactor: false)
    )
    /// ECIES: standard Diffie–Hellman, X9.63 KDF with SHA-256, AES-GCM with a zero IV.
    public static let eciesEncryptionStandardX963SHA256AESGCM = SecKeyAlgorithm(
        .encryption(.ecies(.sha256, .zero), cofactor: false)
    )
    /// ECIES: standard Diffie–Hellman, X9.63 KDF with SHA-384, AES-GCM with a zero IV.
    public static let eciesEncryptionStandardX963SHA384AESGCM = SecKeyAlgorithm(
        .encryption(.ecies(.sha384, .zero), cofactor: false)
    )
    /// ECIES: standard Diffie–Hellman, X9.63 KDF with SHA-512, AES-GCM with a zero IV.
    public static let eciesEncryptionStandardX963SHA512AESGCM = SecKeyAlgorithm(
        .encryption(.ecies(.sha512, .zero), cofactor: false)
    )
    /// ECIES: standard Diffie–Hellman, X9.63 KDF with SHA-224, AES-GCM with a derived IV.
    public static let eciesEncryptionStandardVariableIVX963SHA224AESGCM = SecKeyAlgorithm(
        .encryption(.ecies(.sha224, .derived), cofactor: false)
    )
    /// ECIES: standard Diffie–Hellman, X9.63 KDF with SHA-256, AES-GCM with a derived IV.
    public static let eciesEncryptionStandardVariableIVX963SHA256AESGCM = SecKeyAlgorithm(
        .encryption(.ecies(.sha256, .derived), cofactor: false)
    )
    /// ECIES: standard Diffie–Hellman, X9.63 KDF with SHA-384, AES-GCM with a derived IV.
    public static let eciesEncryptionStandardVariableIVX963SHA384AESGCM = SecKeyAlgorithm(
        .encryption(.ecies(.sha384, .derived), cofactor: false)
    )
    /// ECIES: standard Diffie–Hellman, X9.63 KDF with SHA-512, AES-GCM with a derived IV.
    public static let eciesEncryptionStandardVariableIVX963SHA512AESGCM = SecKeyAlgorithm(
        .encryption(.ecies(.sha512, .derived), cofactor: false)
    )
    /// ECIES: cofactor Diffie–Hellman, X9.63 KDF with SHA-1, AES-GCM with a zero IV.
    public static let eciesEncryptionCofactorX963SHA1AESGCM = SecKeyAlgorithm(
        .encryption(.ecies(.sha1, .zero), cofactor: true)
    )
    /// ECIES: cofactor Diffie–Hellman, X9.63 KDF with SHA-224, AES-GCM with a zero IV.
    public static let eciesEncryptionCofactorX963SHA224AESGCM = SecKeyAlgorithm(
        .encryption(.ecies(.sha224, .zero), cofactor: true)
    )
    /// ECIES: cofactor Diffie–Hellman, X9.63 KDF with SHA-256, AES-GCM with a zero IV.
    public static let eciesEncryptionCofactorX963SHA256AESGCM = SecKeyAlgorithm(
        .encryption(.ecies(.sha256, .zero), cofactor: true)
    )
    /// ECIES: cofactor Diffie–Hellman, X9.63 KDF with SHA-384, AES-GCM with a zero IV.
    public static let eciesEncryptionCofactorX963SHA384AESGCM = SecKeyAlgorithm(
        .encryption(.ecies(.sha384, .zero), cofactor: true)
    )
    /// ECIES: cofactor Diffie–Hellman, X9.63 KDF with SHA-512, AES-GCM with a zero IV.
    public static let eciesEncryptionCofactorX963SHA512AESGCM = SecKeyAlgorithm(
        .encryption(.ecies(.sha512, .zero), cofactor: true)
    )
    /// ECIES: cofactor Diffie–Hellman, X9.63 KDF with SHA-224, AES-GCM with a derived IV.
    public static let eciesEncryptionCofactorVariableIVX963SHA224AESGCM = SecKeyAlgorithm(
        .encryption(.ecies(.sha224, .derived), cofactor: true)
    )
    /// ECIES: cofactor Diffie–Hellman, X9.63 KDF with SHA-256, AES-GCM with a derived IV.
    public static let eciesEncryptionCofactorVariableIVX963SHA256AESGCM = SecKeyAlgorithm(
        .encryption(.ecies(.sha256, .derived), cofactor: true)
    )
    /// ECIES: cofactor Diffie–Hellman, X9.63 KDF with SHA-384, AES-GCM with a derived IV.
    public static let eciesEncryptionCofactorVariableIVX963SHA384AESGCM = SecKeyAlgorithm(
        .encryption(.ecies(.sha384, .derived), cofactor: true)
    )
    /// ECIES: cofactor Diffie–Hellman, X9.63 KDF with SHA-512, AES-GCM with a derived IV.
    public static let eciesEncryptionCofactorVariableIVX963SHA512AESGCM = SecKeyAlgorithm(
        .encryption(.ecies(.sha512, .derived), cofactor: true)
    )
}
