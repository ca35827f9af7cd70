import CoreFoundation

/// The padding that the oldest key functions add to a block or digest; `[]` is no padding.
public struct SecPadding: OptionSet, Hashable, Sendable {
    /// Apple's number.
    public let rawValue: UInt32

    /// Creates a padding from Apple's number.
    public init(rawValue: UInt32) { self.rawValue = rawValue }

    /// RSA PKCS#1 v1.5 (RFC 8017); for an elliptic curve key, a signature in DER.
    public static let PKCS1 = SecPadding(rawValue: 1)
    /// RSA OAEP with SHA-1 (RFC 8017).
    public static let OAEP = SecPadding(rawValue: 2)
    /// For an elliptic curve key, a signature as r and s of full width, one after the other.
    public static let sigRaw = SecPadding(rawValue: 0x4000)
    /// RSA PKCS#1 v1.5 over an MD2 digest; no key supports it.
    public static let PKCS1MD2 = SecPadding(rawValue: 0x8000)
    /// RSA PKCS#1 v1.5 over an MD5 digest; no key supports it.
    public static let PKCS1MD5 = SecPadding(rawValue: 0x8001)
    /// RSA PKCS#1 v1.5 over a SHA-1 digest.
    public static let PKCS1SHA1 = SecPadding(rawValue: 0x8002)
    /// RSA PKCS#1 v1.5 over a SHA-224 digest.
    public static let PKCS1SHA224 = SecPadding(rawValue: 0x8003)
    /// RSA PKCS#1 v1.5 over a SHA-256 digest.
    public static let PKCS1SHA256 = SecPadding(rawValue: 0x8004)
    /// RSA PKCS#1 v1.5 over a SHA-384 digest.
    public static let PKCS1SHA384 = SecPadding(rawValue: 0x8005)
    /// RSA PKCS#1 v1.5 over a SHA-512 digest.
    public static let PKCS1SHA512 = SecPadding(rawValue: 0x8006)
}

// ★ Tables: the algorithms of paddings.
//
// Source: Apple's source, SecKey.c (Security-61901).
extension SecPadding {
    private static let rsaSignatures: [SecPadding: SecKeyAlgorithm] = [
        []: .rsaSignatureRaw,
        .PKCS1: .rsaSignatureDigestPKCS1v15Raw,
        .PKCS1SHA1: .rsaSignatureDigestPKCS1v15SHA1,
        .PKCS1SHA224: .rsaSignatureDigestPKCS1v15SHA224,
        .PKCS1SHA256: .rsaSignatureDigestPKCS1v15SHA256,
        .PKCS1SHA384: .rsaSignatureDigestPKCS1v15SHA384,
        .PKCS1SHA512: .rsaSignatureDigestPKCS1v15SHA512,
    ]

    private static let rsaEncryptions: [SecPadding: SecKeyAlgorithm] = [
        []: .rsaEncryptionRaw,
        .PKCS1: .rsaEncryptionPKCS1,
        .OAEP: .rsaEncryptionOAEPSHA1,
    ]

    /// The algorithms by the size of the digest; a digest of any other size is signed unchanged.
    private static let ellipticSignatures: [Int: SecKeyAlgorithm] = [
        20: .ecdsaSignatureDigestX962SHA1,
        28: .ecdsaSignatureDigestX962SHA224,
        32: .ecdsaSignatureDigestX962SHA256,
        48: .ecdsaSignatureDigestX962SHA384,
        64: .ecdsaSignatureDigestX962SHA512,
    ]

    /// Returns the algorithm for signing a digest; nil for a key or padding without one.
    ///
    /// An elliptic curve key treats any padding but `sigRaw` as PKCS1, as on Apple's systems.
    func signature(by key: SecKey, digestByteCount: Int) -> SecKeyAlgorithm? {
        switch (key.kind.family, self) {
        case (.rsa, _): Self.rsaSignatures[self]
        case (.ellipticCurve, .sigRaw): .ecdsaSignatureRFC4754
        case (.ellipticCurve, .PKCS1):
            Self.ellipticSignatures[digestByteCount] ?? .ecdsaSignatureDigestX962
        case (.ellipticCurve, _): .ecdsaSignatureDigestX962
        default: nil
        }
    }

    /// Returns the algorithm for encryption; nil for a key or padding without one.
    func encryption(by key: SecKey) -> SecKeyAlgorithm? {
        key.kind.family == .rsa ? Self.rsaEncryptions[self] : nil
    }
}
