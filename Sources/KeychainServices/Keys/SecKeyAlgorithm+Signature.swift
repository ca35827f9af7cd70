// ★ Table: Apple's names for the schemes of KeyScheme, one row each.

import KeychainModel

extension SecKeyAlgorithm {
    /// RSA without padding, over as many bytes as the modulus has.
    public static let rsaSignatureRaw = SecKeyAlgorithm(
        .rsaSignatureRaw
    )
    /// RSA PKCS#1 v1.5 over bytes that already are a DigestInfo.
    public static let rsaSignatureDigestPKCS1v15Raw = SecKeyAlgorithm(
        .rsaSignature(.pkcs1v15, .digest, nil)
    )
    /// RSA PKCS#1 v1.5 over a SHA1 digest.
    public static let rsaSignatureDigestPKCS1v15SHA1 = SecKeyAlgorithm(
        .rsaSignature(.pkcs1v15, .digest, .sha1)
    )
    /// RSA PKCS#1 v1.5 over a SHA224 digest.
    public static let rsaSignatureDigestPKCS1v15SHA224 = SecKeyAlgorithm(
        .rsaSignature(.pkcs1v15, .digest, .sha224)
    )
    /// RSA PKCS#1 v1.5 over a SHA256 digest.
    public static let rsaSignatureDigestPKCS1v15SHA256 = SecKeyAlgorithm(
        .rsaSignature(.pkcs1v15, .digest, .sha256)
    )
    /// RSA PKCS#1 v1.5 over a SHA384 digest.
    public static let rsaSignatureDigestPKCS1v15SHA384 = SecKeyAlgorithm(
        .rsaSignature(.pkcs1v15, .digest, .sha384)
    )
    /// RSA PKCS#1 v1.5 over a SHA512 digest.
    public static let rsaSignatureDigestPKCS1v15SHA512 = SecKeyAlgorithm(
        .rsaSignature(.pkcs1v15, .digest, .sha512)
    )
    /// RSA PKCS#1 v1.5 over a message, hashed with SHA1.
    public static let rsaSignatureMessagePKCS1v15SHA1 = SecKeyAlgorithm(
        .rsaSignature(.pkcs1v15, .message, .sha1)
    )
    /// RSA PKCS#1 v1.5 over a message, hashed with SHA224.
    public static let rsaSignatureMessagePKCS1v15SHA224 = SecKeyAlgorithm(
        .rsaSignature(.pkcs1v15, .message, .sha224)
    )
    /// RSA PKCS#1 v1.5 over a message, hashed with SHA256.
    public static let rsaSignatureMessagePKCS1v15SHA256 = SecKeyAlgorithm(
        .rsaSignature(.pkcs1v15, .message, .sha256)
    )
    /// RSA PKCS#1 v1.5 over a message, hashed with SHA384.
    public static let rsaSignatureMessagePKCS1v15SHA384 = SecKeyAlgorithm(
        .rsaSignature(.pkcs1v15, .message, .sha384)
    )
    /// RSA PKCS#1 v1.5 over a message, hashed with SHA512.
    public static let rsaSignatureMessagePKCS1v15SHA512 = SecKeyAlgorithm(
        .rsaSignature(.pkcs1v15, .message, .sha512)
    )
    /// RSA PSS over a SHA1 digest.
    public static let rsaSignatureDigestPSSSHA1 = SecKeyAlgorithm(
        .rsaSignature(.pss, .digest, .sha1)
    )
    /// RSA PSS over a SHA224 digest.
    public static let rsaSignatureDigestPSSSHA224 = SecKeyAlgorithm(
        .rsaSignature(.pss, .digest, .sha224)
    )
    /// RSA PSS over a SHA256 digest.
    public static let rsaSignatureDigestPSSSHA256 = SecKeyAlgorithm(
        .rsaSignature(.pss, .digest, .sha256)
    )
    /// RSA PSS over a SHA384 digest.
    public static let rsaSignatureDigestPSSSHA384 = SecKeyAlgorithm(
        .rsaSignature(.pss, .digest, .sha384)
    )
    /// RSA PSS over a SHA512 digest.
    public static let rsaSignatureDigestPSSSHA512 = SecKeyAlgorithm(
        .rsaSignature(.pss, .digest, .sha512)
    )
    /// RSA PSS over a message, hashed with SHA1.
    public static let rsaSignatureMessagePSSSHA1 = SecKeyAlgorithm(
        .rsaSignature(.pss, .message, .sha1)
    )
    /// RSA PSS over a message, hashed with SHA224.
    public static let rsaSignatureMessagePSSSHA224 = SecKeyAlgorithm(
        .rsaSignature(.pss, .message, .sha224)
    )
    /// RSA PSS over a message, hashed with SHA256.
    public static let rsaSignatureMessagePSSSHA256 = SecKeyAlgorithm(
        .rsaSignature(.pss, .message, .sha256)
    )
    /// RSA PSS over a message, hashed with SHA384.
    public static let rsaSignatureMessagePSSSHA384 = SecKeyAlgorithm(
        .rsaSignature(.pss, .message, .sha384)
    )
    /// RSA PSS over a message, hashed with SHA512.
    public static let rsaSignatureMessagePSSSHA512 = SecKeyAlgorithm(
        .rsaSignature(.pss, .message, .sha512)
    )
    /// ECDSA over a digest of any length; r and s side by side.
    public static let ecdsaSignatureRFC4754 = SecKeyAlgorithm(
        .ecdsa(.rfc4754, .digest, nil)
    )
    /// ECDSA over a digest of any length; r and s in DER.
    public static let ecdsaSignatureDigestX962 = SecKeyAlgorithm(
        .ecdsa(.x962, .digest, nil)
    )
    /// ECDSA over a SHA1 digest; r and s in DER.
    public static let ecdsaSignatureDigestX962SHA1 = SecKeyAlgorithm(
        .ecdsa(.x962, .digest, .sha1)
    )
    /// ECDSA over a SHA224 digest; r and s in DER.
    public static let ecdsaSignatureDigestX962SHA224 = SecKeyAlgorithm(
        .ecdsa(.x962, .digest, .sha224)
    )
    /// ECDSA over a SHA256 digest; r and s in DER.
    public static let ecdsaSignatureDigestX962SHA256 = SecKeyAlgorithm(
        .ecdsa(.x962, .digest, .sha256)
    )
    /// ECDSA over a SHA384 digest; r and s in DER.
    public static let ecdsaSignatureDigestX962SHA384 = SecKeyAlgorithm(
        .ecdsa(.x962, .digest, .sha384)
    )
    /// ECDSA over a SHA512 digest; r and s in DER.
    public static let ecdsaSignatureDigestX962SHA512 = SecKeyAlgorithm(
        .ecdsa(.x962, .digest, .sha512)
    )
    /// ECDSA over a message, hashed with SHA1; r and s in DER.
    public static let ecdsaSignatureMessageX962SHA1 = SecKeyAlgorithm(
        .ecdsa(.x962, .message, .sha1)
    )
    /// ECDSA over a message, hashed with SHA224; r and s in DER.
    public static let ecdsaSignatureMessageX962SHA224 = SecKeyAlgorithm(
        .ecdsa(.x962, .message, .sha224)
    )
    /// ECDSA over a message, hashed with SHA256; r and s in DER.
    public static let ecdsaSignatureMessageX962SHA256 = SecKeyAlgorithm(
        .ecdsa(.x962, .message, .sha256)
    )
    /// ECDSA over a message, hashed with SHA384; r and s in DER.
    public static let ecdsaSignatureMessageX962SHA384 = SecKeyAlgorithm(
        .ecdsa(.x962, .message, .sha384)
    )
    /// ECDSA over a message, hashed with SHA512; r and s in DER.
    public static let ecdsaSignatureMessageX962SHA512 = SecKeyAlgorithm(
        .ecdsa(.x962, .message, .sha512)
    )
    /// ECDSA over a SHA1 digest; r and s side by side.
    public static let ecdsaSignatureDigestRFC4754SHA1 = SecKeyAlgorithm(
        .ecdsa(.rfc4754, .digest, .sha1)
    )
    /// ECDSA over a SHA224 digest; r and s side by side.
    public static let ecdsaSignatureDigestRFC4754SHA224 = SecKeyAlgorithm(
        .ecdsa(.rfc4754, .digest, .sha224)
    )
    /// ECDSA over a SHA256 digest; r and s side by side.
    public static let ecdsaSignatureDigestRFC4754SHA256 = SecKeyAlgorithm(
        .ecdsa(.rfc4754, .digest, .sha256)
    )
    /// ECDSA over a SHA384 digest; r and s side by side.
    public static let ecdsaSignatureDigestRFC4754SHA384 = SecKeyAlgorithm(
        .ecdsa(.rfc4754, .digest, .sha384)
    )
    /// ECDSA over a SHA512 digest; r and s side by side.
    public static let ecdsaSignatureDigestRFC4754SHA512 = SecKeyAlgorithm(
        .ecdsa(.rfc4754, .digest, .sha512)
    )
    /// ECDSA over a message, hashed with SHA1; r and s side by side.
    public static let ecdsaSignatureMessageRFC4754SHA1 = SecKeyAlgorithm(
        .ecdsa(.rfc4754, .message, .sha1)
    )
    /// ECDSA over a message, hashed with SHA224; r and s side by side.
    public static let ecdsaSignatureMessageRFC4754SHA224 = SecKeyAlgorithm(
        .ecdsa(.rfc4754, .message, .sha224)
    )
    /// ECDSA over a message, hashed with SHA256; r and s side by side.
    public static let ecdsaSignatureMessageRFC4754SHA256 = SecKeyAlgorithm(
        .ecdsa(.rfc4754, .message, .sha256)
    )
    /// ECDSA over a message, hashed with SHA384; r and s side by side.
    public static let ecdsaSignatureMessageRFC4754SHA384 = SecKeyAlgorithm(
        .ecdsa(.rfc4754, .message, .sha384)
    )
    /// ECDSA over a message, hashed with SHA512; r and s side by side.
    public static let ecdsaSignatureMessageRFC4754SHA512 = SecKeyAlgorithm(
        .ecdsa(.rfc4754, .message, .sha512)
    )
    /// Ed25519 over a message.
    public static let eddsaSignatureMessageCurve25519SHA512 = SecKeyAlgorithm(
        .eddsa
    )
}
