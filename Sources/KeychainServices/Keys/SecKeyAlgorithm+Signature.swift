// ★ Table: Apple's names for the schemes of KeyScheme, one row each.

import Cryptography

extension SecKeyAlgorithm {
    /// RSA without padding, over as many bytes as the modulus has.
    public static let rsaSignatureRaw = SecKeyAlgorithm(
        .signature(.rsaRaw)
    )
    /// RSA PKCS#1 v1.5 over a DigestInfo that you encode (RFC 8017).
    public static let rsaSignatureDigestPKCS1v15Raw = SecKeyAlgorithm(
        .signature(.rsaPKCS1v15Raw)
    )
    /// RSA PKCS#1 v1.5 over a SHA-1 digest.
    public static let rsaSignatureDigestPKCS1v15SHA1 = SecKeyAlgorithm(
        .signature(.rsaPKCS1v15(.sha1, .digest))
    )
    /// RSA PKCS#1 v1.5 over a SHA-224 digest.
    public static let rsaSignatureDigestPKCS1v15SHA224 = SecKeyAlgorithm(
        .signature(.rsaPKCS1v15(.sha224, .digest))
    )
    /// RSA PKCS#1 v1.5 over a SHA-256 digest.
    public static let rsaSignatureDigestPKCS1v15SHA256 = SecKeyAlgorithm(
        .signature(.rsaPKCS1v15(.sha256, .digest))
    )
    /// RSA PKCS#1 v1.5 over a SHA-384 digest.
    public static let rsaSignatureDigestPKCS1v15SHA384 = SecKeyAlgorithm(
        .signature(.rsaPKCS1v15(.sha384, .digest))
    )
    /// RSA PKCS#1 v1.5 over a SHA-512 digest.
    public static let rsaSignatureDigestPKCS1v15SHA512 = SecKeyAlgorithm(
        .signature(.rsaPKCS1v15(.sha512, .digest))
    )
    /// RSA PKCS#1 v1.5 over a message, hashed with SHA-1.
    public static let rsaSignatureMessagePKCS1v15SHA1 = SecKeyAlgorithm(
        .signature(.rsaPKCS1v15(.sha1, .message))
    )
    /// RSA PKCS#1 v1.5 over a message, hashed with SHA-224.
    public static let rsaSignatureMessagePKCS1v15SHA224 = SecKeyAlgorithm(
        .signature(.rsaPKCS1v15(.sha224, .message))
    )
    /// RSA PKCS#1 v1.5 over a message, hashed with SHA-256.
    public static let rsaSignatureMessagePKCS1v15SHA256 = SecKeyAlgorithm(
        .signature(.rsaPKCS1v15(.sha256, .message))
    )
    /// RSA PKCS#1 v1.5 over a message, hashed with SHA-384.
    public static let rsaSignatureMessagePKCS1v15SHA384 = SecKeyAlgorithm(
        .signature(.rsaPKCS1v15(.sha384, .message))
    )
    /// RSA PKCS#1 v1.5 over a message, hashed with SHA-512.
    public static let rsaSignatureMessagePKCS1v15SHA512 = SecKeyAlgorithm(
        .signature(.rsaPKCS1v15(.sha512, .message))
    )
    /// RSA-PSS over a SHA-1 digest.
    public static let rsaSignatureDigestPSSSHA1 = SecKeyAlgorithm(
        .signature(.rsaPSS(.sha1, .digest))
    )
    /// RSA-PSS over a SHA-224 digest.
    public static let rsaSignatureDigestPSSSHA224 = SecKeyAlgorithm(
        .signature(.rsaPSS(.sha224, .digest))
    )
    /// RSA-PSS over a SHA-256 digest.
    public static let rsaSignatureDigestPSSSHA256 = SecKeyAlgorithm(
        .signature(.rsaPSS(.sha256, .digest))
    )
    /// RSA-PSS over a SHA-384 digest.
    public static let rsaSignatureDigestPSSSHA384 = SecKeyAlgorithm(
        .signature(.rsaPSS(.sha384, .digest))
    )
    /// RSA-PSS over a SHA-512 digest.
    public static let rsaSignatureDigestPSSSHA512 = SecKeyAlgorithm(
        .signature(.rsaPSS(.sha512, .digest))
    )
    /// RSA-PSS over a message, hashed with SHA-1.
    public static let rsaSignatureMessagePSSSHA1 = SecKeyAlgorithm(
        .signature(.rsaPSS(.sha1, .message))
    )
    /// RSA-PSS over a message, hashed with SHA-224.
    public static let rsaSignatureMessagePSSSHA224 = SecKeyAlgorithm(
        .signature(.rsaPSS(.sha224, .message))
    )
    /// RSA-PSS over a message, hashed with SHA-256.
    public static let rsaSignatureMessagePSSSHA256 = SecKeyAlgorithm(
        .signature(.rsaPSS(.sha256, .message))
    )
    /// RSA-PSS over a message, hashed with SHA-384.
    public static let rsaSignatureMessagePSSSHA384 = SecKeyAlgorithm(
        .signature(.rsaPSS(.sha384, .message))
    )
    /// RSA-PSS over a message, hashed with SHA-512.
    public static let rsaSignatureMessagePSSSHA512 = SecKeyAlgorithm(
        .signature(.rsaPSS(.sha512, .message))
    )
    /// ECDSA over a digest of any length; r and s of full width (RFC 4754).
    public static let ecdsaSignatureRFC4754 = SecKeyAlgorithm(
        .signature(.ecdsaDigest(.rfc4754))
    )
    /// ECDSA over a digest of any length; r and s in DER (X9.62).
    public static let ecdsaSignatureDigestX962 = SecKeyAlgorithm(
        .signature(.ecdsaDigest(.x962))
    )
    /// ECDSA over a SHA-1 digest; r and s in DER (X9.62).
    public static let ecdsaSignatureDigestX962SHA1 = SecKeyAlgorithm(
        .signature(.ecdsa(.sha1, .digest, .x962))
    )
    /// ECDSA over a SHA-224 digest; r and s in DER (X9.62).
    public static let ecdsaSignatureDigestX962SHA224 = SecKeyAlgorithm(
        .signature(.ecdsa(.sha224, .digest, .x962))
    )
    /// ECDSA over a SHA-256 digest; r and s in DER (X9.62).
    public static let ecdsaSignatureDigestX962SHA256 = SecKeyAlgorithm(
        .signature(.ecdsa(.sha256, .digest, .x962))
    )
    /// ECDSA over a SHA-384 digest; r and s in DER (X9.62).
    public static let ecdsaSignatureDigestX962SHA384 = SecKeyAlgorithm(
        .signature(.ecdsa(.sha384, .digest, .x962))
    )
    /// ECDSA over a SHA-512 digest; r and s in DER (X9.62).
    public static let ecdsaSignatureDigestX962SHA512 = SecKeyAlgorithm(
        .signature(.ecdsa(.sha512, .digest, .x962))
    )
    /// ECDSA over a message, hashed with SHA-1; r and s in DER (X9.62).
    public static let ecdsaSignatureMessageX962SHA1 = SecKeyAlgorithm(
        .signature(.ecdsa(.sha1, .message, .x962))
    )
    /// ECDSA over a message, hashed with SHA-224; r and s in DER (X9.62).
    public static let ecdsaSignatureMessageX962SHA224 = SecKeyAlgorithm(
        .signature(.ecdsa(.sha224, .message, .x962))
    )
    /// ECDSA over a message, hashed with SHA-256; r and s in DER (X9.62).
    public static let ecdsaSignatureMessageX962SHA256 = SecKeyAlgorithm(
        .signature(.ecdsa(.sha256, .message, .x962))
    )
    /// ECDSA over a message, hashed with SHA-384; r and s in DER (X9.62).
    public static let ecdsaSignatureMessageX962SHA384 = SecKeyAlgorithm(
        .signature(.ecdsa(.sha384, .message, .x962))
    )
    /// ECDSA over a message, hashed with SHA-512; r and s in DER (X9.62).
    public static let ecdsaSignatureMessageX962SHA512 = SecKeyAlgorithm(
        .signature(.ecdsa(.sha512, .message, .x962))
    )
    /// ECDSA over a SHA-1 digest; r and s of full width (RFC 4754).
    public static let ecdsaSignatureDigestRFC4754SHA1 = SecKeyAlgorithm(
        .signature(.ecdsa(.sha1, .digest, .rfc4754))
    )
    /// ECDSA over a SHA-224 digest; r and s of full width (RFC 4754).
    public static let ecdsaSignatureDigestRFC4754SHA224 = SecKeyAlgorithm(
        .signature(.ecdsa(.sha224, .digest, .rfc4754))
    )
    /// ECDSA over a SHA-256 digest; r and s of full width (RFC 4754).
    public static let ecdsaSignatureDigestRFC4754SHA256 = SecKeyAlgorithm(
        .signature(.ecdsa(.sha256, .digest, .rfc4754))
    )
    /// ECDSA over a SHA-384 digest; r and s of full width (RFC 4754).
    public static let ecdsaSignatureDigestRFC4754SHA384 = SecKeyAlgorithm(
        .signature(.ecdsa(.sha384, .digest, .rfc4754))
    )
    /// ECDSA over a SHA-512 digest; r and s of full width (RFC 4754).
    public static let ecdsaSignatureDigestRFC4754SHA512 = SecKeyAlgorithm(
        .signature(.ecdsa(.sha512, .digest, .rfc4754))
    )
    /// ECDSA over a message, hashed with SHA-1; r and s of full width (RFC 4754).
    public static let ecdsaSignatureMessageRFC4754SHA1 = SecKeyAlgorithm(
        .signature(.ecdsa(.sha1, .message, .rfc4754))
    )
    /// ECDSA over a message, hashed with SHA-224; r and s of full width (RFC 4754).
    public static let ecdsaSignatureMessageRFC4754SHA224 = SecKeyAlgorithm(
        .signature(.ecdsa(.sha224, .message, .rfc4754))
    )
    /// ECDSA over a message, hashed with SHA-256; r and s of full width (RFC 4754).
    public static let ecdsaSignatureMessageRFC4754SHA256 = SecKeyAlgorithm(
        .signature(.ecdsa(.sha256, .message, .rfc4754))
    )
    /// ECDSA over a message, hashed with SHA-384; r and s of full width (RFC 4754).
    public static let ecdsaSignatureMessageRFC4754SHA384 = SecKeyAlgorithm(
        .signature(.ecdsa(.sha384, .message, .rfc4754))
    )
    /// ECDSA over a message, hashed with SHA-512; r and s of full width (RFC 4754).
    public static let ecdsaSignatureMessageRFC4754SHA512 = SecKeyAlgorithm(
        .signature(.ecdsa(.sha512, .message, .rfc4754))
    )
    /// Ed25519 over a message; 64 bytes (RFC 8032).
    public static let eddsaSignatureMessageCurve25519SHA512 = SecKeyAlgorithm(
        .signature(.ed25519)
    )
}
